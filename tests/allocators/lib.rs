//! Nothing: the tests beside this file are the package.
