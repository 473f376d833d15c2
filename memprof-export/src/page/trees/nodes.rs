//! The nodes of all trees of a page. A node is the same in each tree that contains it.

use super::super::contents::NodeKind;
use super::super::texts;
use memprof_profile::tree::Device;
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Node {
    pub(in super::super) parent: u32,
    pub(in super::super) kind: NodeKind,
    pub(in super::super) name: u32,
    pub(in super::super) device: Device,
}

/// All nodes. A parent comes before its children, and the first node is the program.
#[derive(Debug, Default)]
pub(in super::super) struct Nodes {
    pub(in super::super) all: Vec<Node>,
    pub(in super::super) names: Vec<String>,
    indices: HashMap<Node, u32>,
    name_indices: HashMap<String, u32>,
}

impl Nodes {
    pub(super) fn of(program: &str) -> Self {
        let mut nodes = Self::default();
        nodes.at(0, NodeKind::Program, program, Device::Cpu);
        nodes
    }

    pub(super) fn at(&mut self, parent: u32, kind: NodeKind, name: &str, device: Device) -> u32 {
        let name = self.name(name);
        self.index(Node { parent, kind, name, device })
    }

    pub(super) fn index(&mut self, node: Node) -> u32 {
        *self.indices.entry(node).or_insert_with(|| {
            self.all.push(node);
            self.all.len() as u32 - 1
        })
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.name_indices.get(name) {
            return index;
        }
        let index = self.display_name(&texts::name(name));
        // The original name is stored too, so that the next lookup of it needs no escaping.
        if name.len() <= texts::MAX_CHARS {
            self.name_indices.insert(name.to_owned(), index);
        }
        index
    }

    pub(super) fn display_name(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.name_indices.get(name) {
            return index;
        }
        let index = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.name_indices.insert(name.to_owned(), index);
        index
    }

    pub(in super::super) fn devices(&self) -> Vec<Device> {
        let devices: BTreeSet<Device> = self.all.iter().map(|node| node.device).collect();
        devices.into_iter().collect()
    }
}
