// --8<-- [start:order]
#[derive(serde::Serialize, serde::Deserialize)]
struct Order {
    id: snowmint::Id,
    #[serde(with = "snowmint::serde::string")]
    customer: u64,
}
// --8<-- [end:order]

/// Writes IDs as strings in JSON.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // --8<-- [start:json]
    let order = Order { id: "1541815603606036480".parse()?, customer: 7 };
    let text = serde_json::to_string(&order)?;
    assert_eq!(text, r#"{"id":"1541815603606036480","customer":"7"}"#);

    let minted = order.id.timestamp(&snowmint::Layout::TWITTER)?;
    assert_eq!(minted.to_string(), "2022-06-28T16:07:40.105Z");
    // --8<-- [end:json]
    Ok(())
}
