namespace Cluster.StateStore.Messages;

/// <summary>What a request asks for. The numbers are part of the messages between nodes.</summary>
public enum StateVerb
{
    /// <summary>Read value and version.</summary>
    Get = 1,

    /// <summary>Store a value.</summary>
    Put = 2,

    /// <summary>Store a value if the present version is the one given.</summary>
    PutIfVersion = 3,

    /// <summary>Remove a value.</summary>
    Remove = 4,

    /// <summary>Set the expiry anew.</summary>
    Touch = 5,

    /// <summary>Run an operation.</summary>
    Update = 6,

    /// <summary>Read the next values of a partition.</summary>
    Scan = 7,

    /// <summary>Read a value, or get the right to load it where it is missing.</summary>
    Load = 8,
}
