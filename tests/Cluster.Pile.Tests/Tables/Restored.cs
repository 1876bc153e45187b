using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Rebuild;
using Cluster.Pile.Tests.Snapshots;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Tables of records that come back from blocks and their description. Stateless.</summary>
internal static class Restored
{
    /// <summary>A second pile with the content of the blocks of a first one at this moment, and its tables.</summary>
    public static LocalPile CopyOf(
        LocalPile pile, List<string> damaged, Action<LocalPile>? beforeTables = null, bool mayBeHalfMade = false)
    {
        var exported = pile.Records.Export();
        var copy = PileCopy.Make(pile);
        var rebuilder = PileCopy.NewRebuilder(copy, damaged);
        rebuilder.Run(pile.Context.Arena.Frontier);
        beforeTables?.Invoke(copy);
        Into(copy, exported, rebuilder.Segments, damaged, mayBeHalfMade);
        return copy;
    }

    /// <summary>Restores tables into a pile that has none.</summary>
    public static void Into(
        LocalPile pile,
        byte[] exported,
        IReadOnlyList<(long, long)> segments,
        List<string>? damaged = null,
        bool mayBeHalfMade = false) =>
        pile.Records.Restore(RecordCatalog.Decode(exported), segments, new RecordRebuildRules
        {
            MayBeHalfMade = mayBeHalfMade,
            Damaged = (block, problem) =>
            {
                if (damaged is null)
                    throw new InvalidDataException(problem);
                damaged.Add($"{block}: {problem}");
            },
        });
}
