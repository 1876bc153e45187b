namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>An entry of the hybrid cache as a value of the cluster's state: the cached value with the generations that
/// its tags had before its factory ran.</summary>
internal sealed class HybridEntry
{
    /// <summary>The name of the state.</summary>
    public const string StateName = "aspnetcore.hybrid-cache";

    /// <summary>A number that no other entry has.</summary>
    public long Stamp { get; set; }

    /// <summary>The cached value, which may be null.</summary>
    public object? Value { get; set; }

    /// <summary>The tags, without the one that stands for all entries.</summary>
    public string[] Tags { get; set; } = [];

    /// <summary>The generation of the tag that stands for all entries, then those of <see cref="Tags"/> in their
    /// order.</summary>
    public long[] Generations { get; set; } = [];

    /// <summary>Makes a new entry.</summary>
    /// <param name="value">The value.</param>
    /// <param name="tags">Its tags.</param>
    /// <param name="generations">Their generations before the value was made.</param>
    public static HybridEntry Create(object? value, string[] tags, long[] generations) => new()
    {
        Stamp = UniqueNumber.Next(),
        Value = value,
        Tags = tags,
        Generations = generations,
    };

    /// <summary>Takes the value as a type.</summary>
    /// <returns>False: the value has another type.</returns>
    public bool TryTake<T>(out T value)
    {
        if (Value is T typed)
        {
            value = typed;
            return true;
        }

        value = default!;
        return Value is null && default(T) is null;
    }
}
