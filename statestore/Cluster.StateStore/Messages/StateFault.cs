namespace Cluster.StateStore.Messages;

/// <summary>One exception of a <see cref="StateFailure"/> as text. Filled once by the owner, then only read.</summary>
public sealed class StateFault
{
    /// <summary>The full name of the exception's type.</summary>
    public string TypeName { get; init; } = "";

    /// <summary>Its message.</summary>
    public string Message { get; init; } = "";

    /// <summary>Its stack on the owner, or null.</summary>
    public string? StackTrace { get; init; }

    /// <summary>Its <see cref="Exception.Data"/>: keys and values in turn.</summary>
    public string?[] Data { get; init; } = [];
}
