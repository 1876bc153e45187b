using System.Text.Encodings.Web;

namespace SessionInPage;

/// <summary>Writes the only page.</summary>
internal static class Page
{
    private static readonly string[] Products = ["tea", "coffee", "sugar"];

    /// <summary>Shows a cart.</summary>
    /// <param name="cart">The cart; null: empty.</param>
    /// <param name="node">The node that answers.</param>
    public static string Show(Cart? cart, string? node) =>
        $"""
        <!doctype html>
        <title>Session in a page</title>
        <h1>Your cart</h1>
        <p>{Encode(Describe(cart))}</p>
        {string.Concat(Products.Select(Button))}
        <p>Answered by node {Encode(node ?? "without a name")}.</p>
        """;

    private static string Describe(Cart? cart) =>
        cart is null ? "Empty." : string.Join(", ", cart.Counts.Select(static line => $"{line.Value} {line.Key}"));

    private static string Button(string product) =>
        $"""<form method="post" action="/add/{product}"><button>Add {product}</button></form>""";

    private static string Encode(string text) => HtmlEncoder.Default.Encode(text);
}
