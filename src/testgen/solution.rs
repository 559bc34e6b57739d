//! The values that a solution gives to cells: what the solver found, before it is laid out as memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::{CellId, NodeId};
use crate::program::{Source, VarId};

/// A solution of the condition of a trail. What it does not mention does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Cells with a single value, at the start.
    pub values: BTreeMap<CellId, i128>,
    /// Cells that are maps: elements by index, at the start.
    pub elements: BTreeMap<CellId, BTreeMap<i128, i128>>,
    /// Elements that are written on the way.
    pub touched: BTreeMap<CellId, BTreeSet<i128>>,
    /// How many elements objects have.
    pub lengths: BTreeMap<NodeId, i128>,
    /// What the environment is asked on the way, by whom, the variable that takes the answer, and the answer.
    pub answers: Vec<(Source, VarId, BTreeMap<CellId, i128>)>,
}
