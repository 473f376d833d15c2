//! A decoder of protobuf without a schema: field numbers and their values.

use std::fmt::Write;

/// A message, field by field.
pub(crate) type Message = Vec<(u64, Value)>;

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(u64),
    Bytes(Vec<u8>),
}

impl Value {
    pub(crate) fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            Self::Bytes(bytes) => panic!("expected a number, found {bytes:?}"),
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes().to_vec()).expect("it is text")
    }

    pub(crate) fn message(&self) -> Message {
        message(self.bytes())
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(number) => panic!("expected bytes, found {number}"),
        }
    }
}

/// Returns the fields of a message.
pub(crate) fn message(mut bytes: &[u8]) -> Message {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = match key & 7 {
            0 => Value::Number(varint(&mut bytes)),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                Value::Bytes(value.to_vec())
            }
            other => panic!("nothing is written as {other}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

/// Returns all values of a field.
pub(crate) fn all(message: &Message, field: u64) -> impl Iterator<Item = &Value> {
    message.iter().filter(move |one| one.0 == field).map(|one| &one.1)
}

/// Returns the value of a field, if it is there.
pub(crate) fn one(message: &Message, field: u64) -> Option<&Value> {
    all(message, field).next()
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().expect("it goes on");
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

/// Formats on one line the fields that `names` contains, with their values.
pub(crate) fn shown(message: &Message, names: &[(u64, &str)]) -> String {
    let mut line = String::new();
    for (field, value) in message {
        let Some((_, name)) = names.iter().find(|name| name.0 == *field) else { continue };
        let _ = match value {
            Value::Number(number) => write!(line, "{name}={} ", number.cast_signed()),
            Value::Bytes(_) => write!(line, "{name}={:?} ", value.text()),
        };
    }
    line.trim_end().to_owned()
}
