namespace Cluster.Pile;

/// <summary>The stored form of an object, which defines the meaning of its bytes.</summary>
public enum PileObjectKind
{
    /// <summary>Bytes as they were put.</summary>
    Bytes = 0,

    /// <summary>A string, one byte per character.</summary>
    Latin1 = 1,

    /// <summary>A string, two bytes per character.</summary>
    Utf16 = 2,

    /// <summary>An object graph, in a form that only its pile knows.</summary>
    Graph = 3,
}
