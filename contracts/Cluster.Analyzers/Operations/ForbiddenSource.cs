namespace Cluster.Analyzers.Operations;

/// <summary>A source of time or chance that is not the operation's context. Immutable.</summary>
internal sealed class ForbiddenSource(string name, string advice, string? replacement = null)
{
    /// <summary>The property of a diagnostic that holds the code to write instead.</summary>
    public const string ReplacementKey = "replacement";

    /// <summary>The source, as the user writes it.</summary>
    public string Name => name;

    /// <summary>What to use instead, for the message.</summary>
    public string Advice => advice;

    /// <summary>The members after the context that mean the same; null if there are none.</summary>
    public string? Replacement => replacement;
}
