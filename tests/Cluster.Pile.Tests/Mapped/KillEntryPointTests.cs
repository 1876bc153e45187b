using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Tests.Expiry;
using Cluster.Pile.Tests.Litmus;
using Cluster.Pile.Tests.Tables;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>As <see cref="KillPointTests"/>, for cells and cache entries: every kind of change, stopped before each
/// access, leaves all entries as they were, and what was being changed as before or as after; objects that entries own
/// end with them.</summary>
[Trait("Case", "pile-28")]
public sealed class KillEntryPointTests(ITestOutputHelper output)
{
    private const int CopiesShort = 4;
    private const int CopiesLong = 2000;

    public static TheoryData<string> Changes { get; } = [.. KillEntryPoints.Names];

    // Every third change, in turn of a new pile and of one that had been disposed before.
    public static TheoryData<string> SomeChanges { get; } = [.. KillEntryPoints.Names.Where((_, i) => i % 12 == 0)];

    [Theory]
    [MemberData(nameof(SomeChanges))]
    public void Change_KilledBeforeAnyAccess_LeavesEntriesAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesShort));

    [Theory]
    [MemberData(nameof(Changes))]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void ChangeOfAnyKind_KilledBeforeAnyAccess_LeavesEntriesAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesShort));

    [Theory]
    [MemberData(nameof(Changes))]
    [Trait("Category", "Soak")]
    public void Change_KilledBeforeEveryAccess_LeavesEntriesAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesLong));

    [Theory]
    [InlineData(LitmusCheck.RecordAside, "cell, same length")]
    [InlineData(LitmusCheck.RecordDebt, "pointer removed")]
    [InlineData(LitmusCheck.SegmentMark, "first cell after a purge")]
    [InlineData(LitmusCheck.Catalog, "first cell of a table")]
    [InlineData(LitmusCheck.SumForgotten, "cell removed" + KillPoints.Anew)]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    internal void Precaution_LeftOut_IsNoticed(LitmusCheck check, string change) =>
        Assert.NotEmpty(Run(check, change, CopiesLong, problemsMax: 1));

    private List<string> Run(LitmusCheck check, string change, int copies, int problemsMax = int.MaxValue) =>
        KilledCopies.Run(
            (nameof(LitmusScenarios.EntryKills), check, change), (copies, problemsMax), CheckFolder, output);

    // What was put right stays right, and tables go on.
    private static void CheckFolder(TestFolder folder, string[] report)
    {
        for (var attempt = 0; attempt < 2; attempt++)
        {
            using var pile = new LocalPile(
                folder.Options(KillEntryPoints.BudgetBytes, new TimerlessTimeProvider(TimeProvider.System)));
            PileValidator.Check(pile);
            foreach (var store in pile.Records.All)
                RecordValidator.Check(pile, store);
            var tables = new KillEntryPoints.Tables(pile);
            foreach (var line in report.Select(line => line.Split(' ')).Where(line => line[0] != KillEntryPoints.Free))
                CheckEntry(pile, tables, line);
            CheckObjects(pile, tables, report);
            if (attempt > 0)
                CheckGoesOn(pile, tables);
        }
    }

    private static void CheckEntry(LocalPile pile, KillEntryPoints.Tables tables, string[] line)
    {
        var id = long.Parse(line[2], CultureInfo.InvariantCulture);
        var seed = ulong.Parse(line[3], CultureInfo.InvariantCulture);
        var value = Find(pile, tables, line[1], id);
        var isOld = value is not null && Piles.IsPayload(value, seed);
        var isNew = value is not null && Piles.IsPayload(value, KillEntryPoints.NewSeed);
        var isRight = line[0] switch
        {
            KillEntryPoints.Stays => isOld,
            KillEntryPoints.Changes => isOld || isNew,
            KillEntryPoints.Goes => isOld || value is null,
            KillEntryPoints.Comes => isNew || value is null,
            _ => value is null,
        };
        var found = value is null ? "nothing" : isOld ? "the old value" : isNew ? "the new value" : "something else";
        Assert.True(isRight, $"{string.Join(' ', line)}: {found} was found.");
    }

    private static byte[]? Find(LocalPile pile, KillEntryPoints.Tables tables, string table, long id)
    {
        byte[]? value;
        switch (table)
        {
            case KillEntryPoints.NonEvicting:
                return tables.NonEvicting.TryGet(id, out value) ? value : null;
            case KillEntryPoints.Evicting:
                return tables.Evicting.TryGet(id, out value) ? value : null;
            default:
                return CellTable.GetOrCreate(pile, table).TryLoad(id, out value, out _) ? value : null;
        }
    }

    private static void CheckObjects(LocalPile pile, KillEntryPoints.Tables tables, string[] report)
    {
        var owned = new HashSet<PilePointer>();
        foreach (var table in (CacheTable<long, byte[]>[])[tables.NonEvicting, tables.Evicting])
        {
            foreach (var entry in table.Enumerate())
            {
                if (!table.TryGetPointer(entry.Key, out var pointer))
                    continue;
                Assert.True(owned.Add(pointer), "Two entries own one object.");
                Assert.True(pile.IsLive(pointer), $"The object of entry {entry.Key} is gone.");
            }

            Assert.Equal(table.Count, table.Enumerate().LongCount());
        }

        foreach (var found in pile.Enumerate())
        {
            var isFree = report.Contains($"{KillEntryPoints.Free} {found.Pointer.ToUInt64()}");
            Assert.True(isFree || owned.Contains(found.Pointer), $"Nobody owns {found.Pointer}.");
        }
    }

    private static void CheckGoesOn(LocalPile pile, KillEntryPoints.Tables tables)
    {
        for (long id = 0; id < 2000; id++)
            tables.Cells.Save(id, 2, Piles.Payload((ulong)id, 100));
        for (long id = 0; id < 2000; id++)
            Assert.True(tables.Cells.TryLoad(id, out var bytes, out _) && Piles.IsPayload(bytes, (ulong)id));
        tables.NonEvicting.Clear();
        Assert.Empty(tables.NonEvicting.Enumerate());
        pile.Compact();
        foreach (var store in pile.Records.All)
            RecordValidator.Check(pile, store);
    }
}
