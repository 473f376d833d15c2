//! CUDA, through its driver.
