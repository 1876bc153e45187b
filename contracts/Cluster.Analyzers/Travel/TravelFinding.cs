using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Travel;

/// <summary>A place below a root whose values Slim refuses. Immutable.</summary>
internal sealed class TravelFinding(string path, ITypeSymbol type, Refusal refusal)
{
    /// <summary>The members from the root to the place, each after a dot; empty for the root itself.</summary>
    public string Path => path;

    /// <summary>The refused type.</summary>
    public ITypeSymbol Type => type;

    /// <summary>Why it is refused.</summary>
    public Refusal Refusal => refusal;
}
