//! Small databases made by the solver, and ways to spoil them.
#![allow(dead_code, reason = "not every test uses everything")]

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex, ValueCode};
use merels_core::{Plies, Position, Ruleset, Subspace, Value};
use merels_db::{
    Edition, Folder, Longest, Statistics, TableKind, TableSpec, TableWriter, ValueHistogram,
};
use merels_solver::{Observer, Options, Plan, Processor, Selection};
use merels_verify::{
    FullOptions, Silent, SubspaceReport, Values, VerifyError, recompute, verify_full,
};
use tempfile::TempDir;

pub(crate) struct Database {
    pub(crate) dir: TempDir,
    pub(crate) folder: Folder,
}

impl Database {
    /// Solves the moving phase: `only` and its dependencies, or all of it.
    pub(crate) fn solve(ruleset: &str, only: &[&str]) -> Self {
        let ruleset: Ruleset = ruleset.parse().unwrap();
        let selection = match only {
            [] => Selection::All,
            only => Selection::Only(only.iter().map(|name| name.parse().unwrap()).collect()),
        };
        Self::solve_plan(&Plan::moving(&ruleset, &selection).unwrap())
    }

    /// Solves a whole game.
    pub(crate) fn solve_game(ruleset: &str) -> Self {
        let ruleset: Ruleset = ruleset.parse().unwrap();
        Self::solve_plan(&Plan::whole_game(&ruleset, &Selection::All).unwrap())
    }

    fn solve_plan(plan: &Plan) -> Self {
        struct Quiet;
        impl Observer for Quiet {}
        let ruleset = *plan.ruleset();
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), ruleset, Some(Edition::Full)).unwrap();
        let options = Options { memory: 2 << 30, level: 1, processor: Processor::detect() };
        merels_solver::run(&folder, plan, &options, &Quiet, &AtomicBool::new(false)).unwrap();
        Self { dir, folder }
    }

    /// A copy of the standard database of 3-3, 4-3, 3-4 and 4-4.
    pub(crate) fn standard() -> Self {
        static SOLVED: LazyLock<Database> = LazyLock::new(|| Database::solve("standard", &["4-4"]));
        SOLVED.copy()
    }

    pub(crate) fn copy(&self) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder =
            Folder::create(dir.path(), *self.folder.ruleset(), Some(Edition::Full)).unwrap();
        for file in fs::read_dir(self.folder.path()).unwrap() {
            let from = file.unwrap().path();
            fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
        }
        Self { dir, folder }
    }

    /// The same in another edition.
    pub(crate) fn pack(&self, edition: Edition) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), *self.folder.ruleset(), Some(edition)).unwrap();
        let packed = Self { dir, folder };
        for subspace in self.folder.subspaces_present().unwrap() {
            self.pack_into(&packed, subspace);
        }
        packed
    }

    /// Makes one table of `packed` again from the one here.
    pub(crate) fn pack_into(&self, packed: &Self, subspace: Subspace) {
        let lock = packed.folder.lock().unwrap();
        let _ = fs::remove_file(packed.folder.path_of(subspace));
        merels_db::pack(&self.folder, &packed.folder, subspace, 1).unwrap().unwrap();
        drop(lock);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn index(&self, subspace: Subspace) -> SubspaceIndex {
        SubspaceIndex::new(self.folder.ruleset().board, subspace)
    }

    pub(crate) fn values(&self, subspace: Subspace) -> Vec<u8> {
        let table = self.folder.open_table(subspace).unwrap();
        let mut codes = vec![0; table.entries() as usize];
        table.decode_all(Codes::near(&mut codes)).unwrap();
        codes
    }

    /// The entries that count: the first one of each position.
    fn positions(index: &SubspaceIndex) -> impl Iterator<Item = usize> {
        let symmetries = index.board().geometry().symmetries();
        let is_first = move |&number: &usize| {
            let (mover, other) = index.stones_at(Index(number as u64));
            let mut all = symmetries.iter();
            all.all(|(_, s)| s.apply_set(mover) != mover || s.apply_set(other) >= other)
        };
        let is_first = move |number: &usize| Self::is_single(index, *number) || is_first(number);
        (0..index.entries() as usize).filter(is_first)
    }

    /// Writes a table as the solver does, with counts, checksums and digests that fit the values.
    pub(crate) fn write(&self, subspace: Subspace, values: &[u8]) {
        let codes = Codes::near(values);
        self.write_codes(subspace, codes, codes);
    }

    /// The same, with the counts of other values.
    pub(crate) fn write_with_counts_of(&self, subspace: Subspace, values: &[u8], other: &[u8]) {
        self.write_codes(subspace, Codes::near(values), Codes::near(other));
    }

    /// Writes a table as the solver does, from values, in one code or two.
    pub(crate) fn write_values(&self, subspace: Subspace, values: &[Value]) {
        let codes = values.iter().map(|&value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
        let is_beyond = |value: &Value| value.distance() >= Some(FarCodes::FILES.first_beyond());
        let far = values.iter().any(is_beyond).then_some(far);
        let codes = Codes { near, far };
        self.write_codes(subspace, codes.slices(), codes.slices());
    }

    fn write_codes(&self, subspace: Subspace, codes: Codes<&[u8]>, counted: Codes<&[u8]>) {
        let mut histogram = ValueHistogram::new(counted.has_far());
        for number in Self::positions(&self.index(subspace)) {
            assert!(histogram.add_value(counted.at(number).unwrap().value(), 1));
        }
        let mut longest = Longest::default();
        longest.add(&Statistics::of_codes(counted), 0, counted);
        let lock = self.folder.lock().unwrap();
        let spec = TableSpec { subspace, level: 1, kind: TableKind::Final };
        let mut writer = TableWriter::create(&self.folder, spec).unwrap();
        writer.write_slices(codes).unwrap();
        let info = writer.finish(longest.with(histogram)).unwrap().publish().unwrap();
        self.folder.record(&[info]).unwrap();
        drop(lock);
    }

    /// A value that [`Database::alter`] finds.
    pub(crate) fn some_value(&self, subspace: Subspace) -> Value {
        let index = self.index(subspace);
        let is_single = |number: &usize| Self::is_single(&index, *number);
        let values = self.values(subspace);
        let place = (0..values.len()).find(is_single).unwrap();
        ValueCode::from_byte(values[place]).unwrap().value()
    }

    /// Whether the mover's stones of an entry are not symmetric.
    pub(crate) fn is_single(index: &SubspaceIndex, number: usize) -> bool {
        let class =
            merels_core::numbering::ClassId::new((number / index.row_len() as usize) as u32);
        index.classes().stabiliser(class).is_trivial()
    }

    /// Changes the first entry from `from` to `to` whose mover's stones are not symmetric, so that
    /// it is the only entry of its position. Returns its index.
    pub(crate) fn alter(&self, subspace: Subspace, from: Value, to: Value) -> Index {
        let index = self.index(subspace);
        let mut values = self.values(subspace);
        let code = |value| ValueCode::from_value(value).unwrap().byte();
        let place = (0..values.len())
            .find(|&number| values[number] == code(from) && Self::is_single(&index, number))
            .unwrap();
        values[place] = code(to);
        self.write(subspace, &values);
        Index(place as u64)
    }

    /// Adds the tables of the placing phase, from the last ply back to the empty board, entry by
    /// entry by the plain rules.
    pub(crate) fn add_placing_phase(&self) -> Vec<Subspace> {
        self.add_placing_phase_after(0, Plies(0))
    }

    /// The same, but adds `later` plies to all distances with `hands` stones in hand. The values of
    /// earlier plies follow from them.
    pub(crate) fn add_placing_phase_after(&self, hands: u8, later: Plies) -> Vec<Subspace> {
        let ruleset = *self.folder.ruleset();
        let mut placing = BTreeSet::from([Position::start(&ruleset).subspace()]);
        let mut open: Vec<_> = placing.iter().copied().collect();
        while let Some(subspace) = open.pop() {
            for removed in 0..=u8::from(subspace.mover() >= 2 && subspace.other() >= 1) {
                let next = Subspace::placing(
                    subspace.other() - removed,
                    subspace.mover() + 1,
                    subspace.other_hand(),
                    subspace.mover_hand() - 1,
                );
                let goes_on = next.mover() + next.mover_hand() >= Ruleset::MIN_STONES;
                if goes_on && !next.is_moving() && placing.insert(next) {
                    open.push(next);
                }
            }
        }
        let mut order: Vec<_> = placing.into_iter().collect();
        order.sort_by_key(|subspace| subspace.mover_hand() + subspace.other_hand());
        let mut known = Known { index: BTreeMap::new(), values: BTreeMap::new() };
        for subspace in Subspace::all_moving(&ruleset) {
            let codes = self.values(subspace).into_iter().map(ValueCode::from_byte);
            let values = codes.map(|code| code.unwrap().value()).collect();
            known.insert(self.index(subspace), values);
        }
        let longer = |value| match value {
            Value::Loss(plies) => Value::Loss(Plies(plies.0 + later.0)),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Win(Plies(plies.0 + later.0)),
        };
        for &subspace in &order {
            let index = self.index(subspace);
            let value = |number| {
                let (mover, other) = index.stones_at(Index(number));
                let position = Position::of_subspace(subspace, mover, other);
                let value = recompute(&ruleset, &position, &known).unwrap();
                let is_longer = subspace.mover_hand() + subspace.other_hand() == hands;
                if is_longer { longer(value) } else { value }
            };
            let values: Vec<_> = (0..index.entries()).map(value).collect();
            self.write_values(subspace, &values);
            known.insert(index, values);
        }
        order
    }

    pub(crate) fn verify_full(&self, only: &[&str]) -> Result<Vec<SubspaceReport>, VerifyError> {
        let only = only.iter().map(|name| name.parse().unwrap()).collect();
        let options = FullOptions { only, memory: 2 << 30, again: false };
        verify_full(&self.folder, &options, &Silent, &AtomicBool::new(false))
    }
}

struct Known {
    index: BTreeMap<Subspace, SubspaceIndex>,
    values: BTreeMap<Subspace, Vec<Value>>,
}

impl Known {
    fn insert(&mut self, index: SubspaceIndex, values: Vec<Value>) {
        self.values.insert(index.subspace(), values);
        self.index.insert(index.subspace(), index);
    }
}

impl Values for Known {
    type Error = Infallible;

    fn value(&self, position: &Position) -> Result<Value, Infallible> {
        let subspace = position.subspace();
        let index = self.index[&subspace].index_of(position.mover().board, position.other().board);
        Ok(self.values[&subspace][index.0 as usize])
    }
}
