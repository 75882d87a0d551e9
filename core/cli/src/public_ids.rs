//! `snowmint public-ids`: public forms of IDs, and their keys.

mod key_file;

use std::io::Write;

use serde_json::json;
use snowmint::public_ids::{
    NumberWidth, PublicIdForm, PublicIdKeys, PublicIds, TokenForm, may_be_keys,
};
use snowmint::reading::shown;
use snowmint::{Code, Error, Result, TextForm};

use crate::args::public_ids::{CommandForm, KeygenArgs, PublicArgs, PublicIdsCommand, RotateArgs};
use crate::errors;
use crate::exit::{Done, Failure, report, report_with, status};
use crate::lines::Lines;
use crate::print::{Output, json_line, output};

/// Manages keys, or converts IDs with them.
pub(crate) fn run(command: &PublicIdsCommand) -> Done {
    let done = match command {
        PublicIdsCommand::Keygen(args) => keygen(args),
        PublicIdsCommand::Encode(args) => convert(args, ENCODE),
        PublicIdsCommand::Decode(args) => convert(args, DECODE),
        PublicIdsCommand::Rotate(args) => rotate(args),
    };
    done.map_err(|failure| match failure {
        Failure::Refused(error) => Failure::PublicIds(error),
        other => other,
    })
}

fn keygen(args: &KeygenArgs) -> Done {
    let keys =
        PublicIdKeys::builder().realm(&args.realm).random_key('1').build().map_err(Error::from)?;
    let mut output = output();
    if args.file.as_os_str() == "-" {
        output.write_all(keys.to_toml().as_bytes())?;
    } else {
        let path = key_file::named(&args.file)?;
        key_file::create(path, &keys.to_toml())?;
        writeln!(output, "{}: made, with key {}", path.display(), keys.current())?;
    }
    Ok(output.flush()?)
}

fn rotate(args: &RotateArgs) -> Done {
    let keys = key_file::change(key_file::named(&args.file)?, |keys| {
        if let Some(symbol) = args.remove {
            return keys.remove_key(symbol);
        }
        if let Some(symbol) = args.numbers {
            return keys.set_numbers(symbol);
        }
        let symbol = match args.current {
            Some(symbol) => symbol,
            None => keys.add_key()?,
        };
        if args.add_only { Ok(()) } else { keys.make_current(symbol) }
    })?;
    let symbols: Vec<String> = keys.symbols().map(String::from).collect();
    let (path, current) = (args.file.display(), keys.current());
    let numbers = args.numbers.map(|symbol| format!("; key {symbol} makes and reads numbers"));
    let (symbols, numbers) = (symbols.join(", "), numbers.unwrap_or_default());
    let mut output = output();
    writeln!(output, "{path}: key {current} makes what is new, read are {symbols}{numbers}")?;
    Ok(output.flush()?)
}

/// An ID with its public form.
struct Pair {
    id: String,
    public: String,
}

/// The direction of a conversion.
#[derive(Clone, Copy)]
struct Direction {
    convert: fn(&PublicIds, &str) -> Result<Pair>,
    /// Returns the half of the pair that is the result.
    wanted: fn(&Pair) -> &str,
    /// The hint for a text that is refused.
    hint: &'static str,
}

const ENCODE: Direction = Direction {
    convert: encode,
    wanted: |pair| &pair.public,
    hint: "IDs are decimal; `snowmint public-ids --help` has an example of each form",
};
const DECODE: Direction = Direction {
    convert: decode,
    wanted: |pair| &pair.id,
    hint: "compare it with where it comes from; --form names its form, unless it is a token",
};

fn convert(args: &PublicArgs, direction: Direction) -> Done {
    let keys = match args.keys.to_str() {
        Some(source) => PublicIdKeys::open(source),
        None => PublicIdKeys::from_file(&args.keys),
    };
    if args.bits.is_some() && args.form != CommandForm::Number {
        return Err(errors::bits_of_another_form().into());
    }
    let form = match args.form {
        CommandForm::Token => PublicIdForm::default(),
        CommandForm::Base64url => PublicIdForm::Token(TokenForm::Base64Url),
        CommandForm::Uuid => PublicIdForm::Uuid,
        CommandForm::Number => PublicIdForm::Number(args.bits.unwrap_or(NumberWidth::Bits64)),
    };
    let ids = keys.and_then(|keys| keys.public_ids(&args.kind, form));
    let ids = ids.map_err(Error::from)?;
    let mut converter = Converter { args, ids, direction, output: output(), failed: None };
    for text in &args.ids {
        match text.as_str() {
            "-" => converter.lines()?,
            text => converter.convert("", Ok(text.to_owned()))?,
        }
    }
    converter.output.flush()?;
    converter.failed.map_or(Ok(()), |status| Err(Failure::Reported(status)))
}

struct Converter<'a> {
    args: &'a PublicArgs,
    ids: PublicIds,
    direction: Direction,
    output: Output,
    /// The exit status of the first text that was refused.
    failed: Option<u8>,
}

impl Converter<'_> {
    fn lines(&mut self) -> Done {
        let mut lines = Lines::of_stdin();
        while let Some((number, line)) = lines.next().map_err(Failure::Input)? {
            self.convert(&format!("line {number}: "), line)?;
            if lines.may_wait() {
                self.output.flush()?;
            }
        }
        Ok(())
    }

    /// Converts one text. A wrong text is reported; only a failure to write is returned.
    fn convert(&mut self, place: &str, text: Result<String>) -> Done {
        match text.and_then(|text| (self.direction.convert)(&self.ids, &text)) {
            Ok(Pair { id, public }) if self.args.json => {
                let object = json!({"id": id, "public": public});
                writeln!(self.output, "{}", json_line(&object))?;
            }
            Ok(pair) => writeln!(self.output, "{}", (self.direction.wanted)(&pair))?,
            Err(error) => {
                // Flushes first, so that results and errors on one terminal stay in order.
                self.output.flush()?;
                match error.code() {
                    Code::NotFound | Code::WrongType => report(place, &error),
                    _ => report_with(place, &error, self.direction.hint),
                }
                self.failed.get_or_insert(status(error.code()));
            }
        }
        Ok(())
    }
}

fn encode(ids: &PublicIds, text: &str) -> Result<Pair> {
    let id = TextForm::Decimal.parse(text);
    let id = id.map_err(|error| errors::id_unreadable(&told(ids, text), error))?;
    let public = ids.encode(id);
    let public = public.map_err(|error| errors::public_id_refused(&told(ids, text), error))?;
    Ok(Pair { id: id.to_string(), public: public.into() })
}

fn decode(ids: &PublicIds, text: &str) -> Result<Pair> {
    let id = ids.decode(text);
    let id = id.map_err(|error| errors::public_id_refused(&told(ids, text), error))?;
    Ok(Pair { id: id.to_string(), public: text.to_owned() })
}

/// Shows a wrong text unless it may be a key: a file of keys is easily given in place of one of
/// IDs.
fn told(ids: &PublicIds, text: &str) -> String {
    match may_be_keys(text) && !text.starts_with(ids.codec().prefix()) {
        true => "a text that may be a key".to_owned(),
        false => shown(text).to_string(),
    }
}
