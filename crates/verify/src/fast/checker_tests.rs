//! The check on masks against the plain rules, on positions of all kinds of games.

use std::collections::BTreeSet;
use std::convert::Infallible;

use merels_core::numbering::{FarCodes, Index};
use merels_core::{Plies, Position, Value};
use merels_simd::Portable;
use proptest::prelude::*;

use super::*;
use crate::fast::coded::Steps;
use crate::fast::successors::is_over;
use crate::plain::{self, Values};
use crate::sample::random::Random;

const RULESETS: [&str; 10] = [
    "standard",
    "no-flying",
    "strict-removal",
    "free-removal",
    "double-removal",
    "lasker",
    "morabaraba",
    "six",
    "three",
    "standard,stones=6,board=six,double-mill=two,placing=mixed",
];

/// Made-up values: a number mixed from the smallest image of the position. So the entries of one
/// position hold the same value, as in a real table.
struct MadeUp<'a>(&'a Checker);

/// The smallest image of the stones of the mover and of the other side.
type Image = Option<(Subspace, Points, Points)>;

impl MadeUp<'_> {
    fn image(&self, subspace: Subspace, mover: Points, other: Points) -> Image {
        if is_over(subspace) {
            return None;
        }
        let images = self
            .0
            .index()
            .board()
            .geometry()
            .symmetries()
            .iter()
            .map(|(_, s)| (s.apply_set(mover), s.apply_set(other)));
        images.min().map(|(mover, other)| (subspace, mover, other))
    }

    fn image_of(&self, position: &Position) -> Image {
        self.image(position.subspace(), position.mover().board, position.other().board)
    }

    fn image_at(&self, place: u32) -> Image {
        let table = self.0.reach().tables().iter().rfind(|table| table.first <= place)?;
        let (mover, other) = table.index.stones_at(Index(u64::from(place - table.first)));
        self.image(table.index.subspace(), mover, other)
    }

    fn code_of(&self, image: Image) -> ValueCode {
        let Some((subspace, mover, other)) = image else { return ValueCode::LOST };
        let seed = u64::from(mover.bits()) << 32 | u64::from(other.bits());
        let salt = u64::from(subspace.mover_hand()) << 60 | u64::from(subspace.other_hand()) << 24;
        // Neither 128 nor the win in 253 plies: the value one ply before it has no code.
        let byte = Random::new(seed ^ salt).below(254) as u8;
        ValueCode::from_byte(if byte < 128 { byte } else { byte + 2 }).unwrap()
    }
}

impl Lookup for MadeUp<'_> {
    fn code(&self, place: u32) -> u8 {
        self.code_of(self.image_at(place)).byte()
    }
}

impl Values for MadeUp<'_> {
    type Error = Infallible;

    fn value(&self, position: &Position) -> Result<Value, Infallible> {
        Ok(self.code_of(self.image_of(position)).value())
    }
}

/// The same, with longer distances for half of the values, in two codes.
struct Long<'a>(MadeUp<'a>);

impl Long<'_> {
    fn value_of(&self, image: Image) -> Value {
        let longer = |Plies(plies)| Plies(if plies % 8 < 4 { plies } else { plies + 246 });
        match self.0.code_of(image).value() {
            Value::Loss(plies) => Value::Loss(longer(plies)),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Win(longer(plies)),
        }
    }

    fn codes_of(value: Value) -> Codes<u8> {
        let (near, far) = FarCodes::FILES.codes_of(value).unwrap();
        Codes { near: near.byte(), far: Some(far.byte()) }
    }
}

impl Values for Long<'_> {
    type Error = Infallible;

    fn value(&self, position: &Position) -> Result<Value, Infallible> {
        Ok(self.value_of(self.0.image_of(position)))
    }
}

/// Its near codes, or its far codes.
enum LongCodes<'a> {
    Near(&'a Long<'a>),
    Far(&'a Long<'a>),
}

impl Lookup for LongCodes<'_> {
    fn code(&self, place: u32) -> u8 {
        let (Self::Near(long) | Self::Far(long)) = self;
        let Codes { near, far } = Long::codes_of(long.value_of(long.0.image_at(place)));
        if matches!(self, Self::Near(_)) { near } else { far.unwrap() }
    }
}

/// A random subspace of the game: one of the moving phase, one that placing in turn can reach, or
/// any with mixed placing.
fn subspace(ruleset: &Ruleset, random: &mut Random) -> Subspace {
    let points = u64::from(ruleset.board.geometry().point_count());
    loop {
        let mut below = |limit: u64| (random.next() % limit) as u8;
        let most = u64::from(ruleset.stones) + 1;
        let moving = below(3) == 0;
        let mover_hand = if moving { 0 } else { below(most) };
        let other_hand = match ruleset.placing {
            _ if moving => 0,
            merels_core::Placing::Mixed => below(most),
            merels_core::Placing::First => mover_hand.saturating_sub(below(2)),
        };
        let (mover, other) = (below(most), below(most));
        let fits = mover + mover_hand <= ruleset.stones
            && other + other_hand <= ruleset.stones
            && mover + mover_hand >= 2
            && other + other_hand >= 3
            && u64::from(mover + other) <= points;
        if fits {
            return Subspace::placing(mover, other, mover_hand, other_hand);
        }
    }
}

/// A random entry: any, but more often than by chance one of the first rows, whose stones stand
/// together in mills.
fn entry(index: &SubspaceIndex, random: &mut Random) -> Index {
    let limit = match random.next() % 2 {
        0 => index.entries(),
        _ => (index.entries() / 50).max(1),
    };
    Index(random.next() % limit)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_find_the_same_successors_and_values(seed: u64, rules in 0..RULESETS.len()) {
        let ruleset: Ruleset = RULESETS[rules].parse().unwrap();
        let mut random = Random::new(seed);
        let subspace = subspace(&ruleset, &mut random);
        let checker = Checker::new(&ruleset, subspace, Precision::Exact).unwrap();
        let made_up = MadeUp(&checker);
        for _ in 0..40 {
            let index = entry(checker.index(), &mut random);
            let (mover, other) = checker.index().stones_at(index);
            let position = Position::of_subspace(subspace, mover, other);
            let moves = ruleset.legal_moves(&position);
            let expected: BTreeSet<_> = moves.iter().map(|mv| made_up.image_of(&mv.apply(&position))).collect();
            let found: BTreeSet<_> = checker.successors(mover, other).into_iter().map(|place| made_up.image_at(place)).collect();
            prop_assert_eq!(&found, &expected, "{} {} {:?}", ruleset, subspace, position);

            // The form for processors without the instructions.
            let mut portable = Found::default();
            checker.reach.collect(Portable, mover, other, &mut portable);
            prop_assert_eq!(portable.places, checker.successors(mover, other));

            let value = plain::recompute(&ruleset, &position, &made_up).unwrap();
            let code = ValueCode::from_value(value).unwrap().byte();
            prop_assert_eq!(checker.check(index.0, &[code], &made_up), []);
            prop_assert_eq!(checker.check_with(Portable, index.0, &[code], &made_up), []);
            let wrong = code.wrapping_add(1);
            let [stored, recomputed] = [wrong, code].map(Codes::near);
            let suspect = Suspect { index: index.0, stored, recomputed };
            prop_assert_eq!(checker.check(index.0, &[wrong], &made_up), [suspect]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn two_codes_say_what_the_plain_rules_say(seed: u64, rules in 0..RULESETS.len()) {
        let ruleset: Ruleset = RULESETS[rules].parse().unwrap();
        let mut random = Random::new(seed);
        let subspace = subspace(&ruleset, &mut random);
        let checker = Checker::new(&ruleset, subspace, Precision::Exact).unwrap();
        let long = Long(MadeUp(&checker));
        let successors = Codes { near: &LongCodes::Near(&long), far: Some(&LongCodes::Far(&long)) };
        for _ in 0..40 {
            let index = entry(checker.index(), &mut random);
            let (mover, other) = checker.index().stones_at(index);
            let position = Position::of_subspace(subspace, mover, other);
            let value = plain::recompute(&ruleset, &position, &long).unwrap();
            let right = Long::codes_of(value);
            let check = |near, far| {
                let stored = Codes { near: &[near][..], far: Some(&[far][..]) };
                checker.check_coded(Steps::FILES, index.0, stored, successors)
            };
            prop_assert_eq!(check(right.near, right.far.unwrap()), []);
            let wrong = right.far.unwrap().wrapping_add(1);
            let stored = Codes { far: Some(wrong), ..right };
            prop_assert_eq!(check(right.near, wrong), [Suspect { index: index.0, stored, recomputed: right }]);

            let [mut near, mut far] = [[LEFT_OUT]; 2];
            let restored = Codes { near: &mut near[..], far: Some(&mut far[..]) };
            checker.restore_coded(Steps::FILES, index.0, restored, successors);
            prop_assert_eq!(Codes { near: near[0], far: Some(far[0]) }, right);
        }
    }
}

#[test]
fn the_table_of_turned_values() {
    let before = Precision::Exact.before();
    assert_eq!(before[0], 255);
    assert_eq!(before[127], 127);
    assert_eq!(before[255], 1);
    assert_eq!(before[128], 128);
    // A loss in 254 plies has no code.
    assert_eq!(before[129], 128);
    for (byte, &before) in before.iter().enumerate() {
        let value = ValueCode::from_byte(byte as u8).map(|code| code.value().before());
        assert_eq!(ValueCode::from_byte(before), value.and_then(ValueCode::from_value));
    }
}
