//! Signs that are part of a move only where numbers name points.

use crate::notation::words::token::{Kind, Token};

/// More tokens than a move with such a sign has.
const LONGEST_PLY: usize = 16;

/// Where numbers name points, `10:12` is a removal and `1-0` may be a move: the place of such a
/// token, and all tokens with three in its stead.
pub(super) fn split<'t>(
    rest: &[Token<'t>],
    is_move: impl Fn(&str) -> bool,
) -> Option<(usize, Vec<Token<'t>>)> {
    let rest = &rest[..rest.len().min(LONGEST_PLY)];
    let place = rest
        .iter()
        .take(4)
        .position(|token| matches!(token.kind, Kind::Clock(..) | Kind::Result(_)))?;
    let token = rest[place];
    let (before, sign, after) = match token.kind {
        Kind::Clock(before, after) if token.text.len() == before.len() + 1 + after.len() => {
            (before, Kind::Removal, after)
        }
        Kind::Result("1-0") if place == 0 && is_move("1-0") => ("1", Kind::Dash, "0"),
        Kind::Result("0-1") if place == 0 && is_move("0-1") => ("0", Kind::Dash, "1"),
        _ => return None,
    };
    let part = |kind, text: &'t str, start| Token { kind, text, start, is_joined: true };
    let middle = token.start + before.len();
    let mut tokens = rest[..place].to_vec();
    tokens.push(Token {
        is_joined: token.is_joined,
        ..part(Kind::Digits(before), before, token.start)
    });
    tokens.push(part(sign, &token.text[before.len()..=before.len()], middle));
    tokens.push(part(Kind::Digits(after), after, middle + 1));
    tokens.extend_from_slice(&rest[place + 1..]);
    Some((place, tokens))
}
