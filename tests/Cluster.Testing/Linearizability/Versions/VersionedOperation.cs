namespace Cluster.Testing.Linearizability.Versions;

/// <summary>A request to a versioned entry. Immutable.</summary>
/// <param name="Action">What is asked for.</param>
/// <param name="Value">The value that is put or added.</param>
/// <param name="Expected">The version that a conditional put expects; zero expects no entry.</param>
public readonly record struct VersionedOperation(VersionedAction Action, long Value = 0, long Expected = 0);

/// <summary>The answer of a versioned entry. What is null, the answer does not tell. Immutable.</summary>
/// <param name="Flag">Whether the condition held, or whether there was an entry.</param>
/// <param name="Value">The value of a get, null for none; the sum of an increment.</param>
/// <param name="Version">The version afterwards.</param>
public readonly record struct VersionedResult(bool? Flag = null, long? Value = null, long? Version = null);

/// <summary>What a versioned entry does.</summary>
public enum VersionedAction
{
    /// <summary>Returns value and version.</summary>
    Get,

    /// <summary>Sets the value.</summary>
    Put,

    /// <summary>Sets the value if the entry has the expected version.</summary>
    PutIfVersion,

    /// <summary>Removes the entry.</summary>
    Remove,

    /// <summary>Tells whether there is an entry.</summary>
    Touch,

    /// <summary>Adds to the value; no entry counts as zero.</summary>
    Increment,
}
