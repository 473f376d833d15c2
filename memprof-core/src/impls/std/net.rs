//! Network addresses, and sockets, whose resources belong to the operating system.

use crate::impls::std::flat::impl_flat;
use crate::impls::std::primitive::scalars;
use std::net::{
    IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, SocketAddrV4, SocketAddrV6, TcpListener,
    TcpStream, UdpSocket,
};

scalars! { Ipv4Addr, Ipv6Addr, IpAddr, SocketAddrV4, SocketAddrV6, SocketAddr }

impl_flat! {
    [] Shutdown;
    [] TcpListener;
    [] TcpStream;
    [] UdpSocket;
}

#[cfg(unix)]
impl_flat! {
    [] std::os::unix::net::SocketAddr;
    [] std::os::unix::net::UnixDatagram;
    [] std::os::unix::net::UnixListener;
    [] std::os::unix::net::UnixStream;
}
