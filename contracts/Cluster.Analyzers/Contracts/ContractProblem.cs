using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Contracts;

/// <summary>A reason why Glue refuses a contract. Immutable.</summary>
internal sealed class ContractProblem(ITypeSymbol declaring, ISymbol? member, string reason)
{
    /// <summary>The interface that declares the member.</summary>
    public ITypeSymbol Declaring => declaring;

    /// <summary>The member; null if the interface itself is refused.</summary>
    public ISymbol? Member => member;

    /// <summary>The rest of a sentence that begins with "it".</summary>
    public string Reason => reason;
}
