namespace Cluster.Pile.Tests.Litmus;

/// <summary>A check or barrier of the pile that the woven build can leave out, to prove that tests notice.</summary>
internal enum LitmusCheck
{
    None,

    /// <summary>The optimistic reader does not load the header again.</summary>
    HeaderReload,

    /// <summary>The optimistic reader does not load the slab entry again.</summary>
    EntryReload,

    /// <summary>A version that goes over zero is not counted in the slab entry.</summary>
    WrapCount,

    /// <summary>The lives of a block are not counted in its entry.</summary>
    Incarnation,

    /// <summary>A deleted slot keeps its generation.</summary>
    Generation,

    /// <summary>Blocks forget the counters that their slots reached.</summary>
    HighWater,

    /// <summary>A mapped pile does not say that a row of its tables is changing.</summary>
    RowChange,

    /// <summary>A mapped pile changes a block and keeps its checksum.</summary>
    SumForgotten,

    /// <summary>A mapped pile does not note what an update is about to do.</summary>
    UpdateIntent,

    /// <summary>A mapped pile overwrites objects in their place.</summary>
    Aside,

    /// <summary>A mapped pile overwrites records in their place.</summary>
    RecordAside,

    /// <summary>A record is forgotten before the object that it owned is deleted.</summary>
    RecordDebt,

    /// <summary>A segment is named before what lay in its place is forgotten.</summary>
    SegmentMark,

    /// <summary>A mapped pile does not write down what its tables are.</summary>
    Catalog,

    /// <summary>Nothing orders the copy before the second look at header and entry.</summary>
    ReadBarrier,
}
