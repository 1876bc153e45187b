namespace Cluster.Slim.Tests.Format;

/// <summary>An object of a message: its handle, its type, and what its steps took off the message in their order: raw
/// bytes, texts, numbers, objects and, for values in it, lists of these.</summary>
internal sealed record PageObject(int Handle, PageLayout Type)
{
    public List<object?> Parts { get; } = [];

    public Dictionary<string, object?> Fields { get; } = [];
}
