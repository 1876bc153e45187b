namespace Cluster.Testing.Linearizability.Maps;

/// <summary>A request to a map. Immutable.</summary>
/// <param name="Action">What is asked for.</param>
/// <param name="Key">The key; without meaning for a count.</param>
/// <param name="Value">The value of a put.</param>
public readonly record struct MapOperation(MapAction Action, string Key = "", long Value = 0);

/// <summary>The answer of a map. Immutable.</summary>
/// <param name="Number">The value of a get, null for none; the number of entries of a count.</param>
/// <param name="Found">Whether a put or removal found an entry; null: the answer does not tell.</param>
public readonly record struct MapResult(long? Number = null, bool? Found = null);

/// <summary>What a map does.</summary>
public enum MapAction
{
    /// <summary>Returns the value of a key.</summary>
    Get,

    /// <summary>Sets the value of a key.</summary>
    Put,

    /// <summary>Removes a key.</summary>
    Remove,

    /// <summary>Returns the number of entries.</summary>
    Count,
}
