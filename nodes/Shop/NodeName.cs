namespace Shop;

/// <summary>The configured name of the node that runs in this process, such as <c>n1</c>. Immutable.</summary>
/// <param name="Value">The name.</param>
public sealed record NodeName(string Value);
