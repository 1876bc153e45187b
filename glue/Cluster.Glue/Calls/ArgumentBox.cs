namespace Cluster.Glue.Calls;

/// <summary>
/// One argument handed over in process without serialization; a link in the chain of a call's arguments.
/// </summary>
internal abstract class ArgumentBox
{
    public ArgumentBox? Next { get; set; }
}

/// <summary>The argument with its type. Immutable but for the chain.</summary>
internal sealed class ArgumentBox<T>(T value) : ArgumentBox
{
    public T Value { get; } = value;
}
