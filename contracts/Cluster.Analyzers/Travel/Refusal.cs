namespace Cluster.Analyzers.Travel;

/// <summary>Why Slim refuses all values of a type, and the option that would allow them. Immutable.</summary>
internal sealed class Refusal(string reason, string? remedy = null)
{
    /// <summary>The rest of a sentence about the type.</summary>
    public string Reason => reason;

    /// <summary>The method of <c>SlimOptions</c> that may allow the type; null if none does.</summary>
    public string? Remedy => remedy;
}
