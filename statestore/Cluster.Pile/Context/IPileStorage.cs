using Cluster.Pile.Files;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Context;

/// <summary>Where the memory of one pile lies: in the process, or in the files of a mapped folder. Owned by the pile,
/// which closes it.</summary>
internal interface IPileStorage
{
    /// <summary>The secret, identity and clock with which the pile begins.</summary>
    PileOrigin Origin { get; }

    NativeRange Range { get; }

    /// <summary>The path of the file of the blocks, for messages; null when no file has them.</summary>
    string? BlocksFile { get; }

    /// <summary>The file of the updates in progress; null when memory ends with the process. The same holds for the
    /// catalog and for the types.</summary>
    UpdateIntents? Intents { get; }

    CatalogFile? Catalog { get; }

    TypeLog? Types { get; }

    /// <summary>Called when no thread is inside the pile any more, with the caches of all threads.</summary>
    void TakeTotals(IReadOnlyList<ThreadCache> caches);

    /// <summary>Gives the memory back. <paramref name="isAtRest"/>: no object has a view.</summary>
    void Close(bool isAtRest);
}
