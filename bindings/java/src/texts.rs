//! The native methods of text forms.

use jni::objects::{JObjectArray, JString};
use jni::sys::{jint, jlong};
use snowmint::TextForm;

use crate::argument::{rows, text};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;

/// Returns the form at a place of the table, which Java's constants follow.
fn form(number: jint) -> Result<TextForm> {
    let form = usize::try_from(number).ok().and_then(|at| TextForm::ALL.get(at));
    Ok(*form.ok_or_else(|| errors::shape_unknown("a text form"))?)
}

natives! {
    /// Returns the name and alphabet of each form, and its width, or 0 if its texts differ in
    /// length.
    fn textForms(env) -> JObjectArray<'local> {
        let texts: Vec<_> =
            TextForm::ALL.iter().flat_map(|form| [form.name(), form.alphabet()]).collect();
        let widths: Vec<_> =
            TextForm::ALL.iter().map(|form| form.width().map_or(0, jlong::from)).collect();
        rows(env, &texts, &widths)
    }

    fn textFormat(env, number: jint, id: jlong) -> JString<'local> {
        Ok(env.new_string(form(number)?.format(id as u64).as_str())?)
    }

    /// Returns the ID of a text in a form, or in the form that it most likely has if the number is
    /// -1.
    fn textParse(env, number: jint, written: JString<'local>) -> jlong {
        let form = if number < 0 { None } else { Some(form(number)?) };
        Ok(snowmint::names::id(&text(env, &written)?, form)? as jlong)
    }

    /// Returns the place of the form that a text most likely has, or -1.
    fn textDetect(env, written: JString<'local>) -> jint {
        let detected = snowmint::detect(&text(env, &written)?);
        let place = TextForm::ALL.iter().position(|&form| Some(form) == detected);
        Ok(place.map_or(-1, |place| place as jint))
    }
}
