using Cluster.Pile.Tests.Litmus;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>The process may be killed between any two accesses to memory: every kind of change, stopped at each, leaves
/// a folder that can be attached and holds everything as it was, and what was being changed as before or as
/// after.</summary>
[Trait("Case", "pile-28")]
public sealed class KillPointTests(ITestOutputHelper output)
{
    private const int CopiesShort = 12;
    private const int CopiesLong = 2000;

    public static TheoryData<string> Changes { get; } = [.. KillPoints.Names];

    public static TheoryData<string> SomeChanges { get; } = [.. KillPoints.Names.Where((_, i) => i % 16 == 0)];

    [Theory]
    [MemberData(nameof(SomeChanges))]
    public void Change_KilledBeforeAnyAccess_LeavesEverythingAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesShort));

    [Theory]
    [MemberData(nameof(Changes))]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void ChangeOfAnyKind_KilledBeforeAnyAccess_LeavesEverythingAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesShort));

    [Theory]
    [MemberData(nameof(Changes))]
    [Trait("Category", "Soak")]
    public void Change_KilledBeforeEveryAccess_LeavesEverythingAsBeforeOrAfter(string change) =>
        Assert.Empty(Run(LitmusCheck.None, change, CopiesLong));

    [Theory]
    [InlineData(LitmusCheck.UpdateIntent, "same length")]
    [InlineData(LitmusCheck.UpdateIntent, "link to slot")]
    [InlineData(LitmusCheck.UpdateIntent, "to a link")]
    [InlineData(LitmusCheck.Aside, "same length")]
    [InlineData(LitmusCheck.RowChange, "put into new slab")]
    [InlineData(LitmusCheck.SumForgotten, "delete linked" + KillPoints.Anew)]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    internal void Precaution_LeftOut_IsNoticed(LitmusCheck check, string change) =>
        Assert.NotEmpty(Run(check, change, CopiesLong, problemsMax: 1));

    private List<string> Run(LitmusCheck check, string change, int copies, int problemsMax = int.MaxValue) =>
        KilledCopies.Run(
            (nameof(LitmusScenarios.Kills), check, change), (copies, problemsMax), CheckFolder, output);

    private static void CheckFolder(TestFolder folder, string[] report)
    {
        using (var pile = folder.Attach(KillPoints.BudgetBytes))
        {
            PileValidator.Check(pile);
            if (pile.GetStatistics().Objects > 0 || !report.Contains(KillPoints.AllOrNothing))
                CheckObjects(pile, report);
        }

        // What was put right stays right, and nothing that comes later has a pointer that was given out before.
        using var again = folder.Attach(KillPoints.BudgetBytes);
        PileValidator.Check(again);
        var stale = report.Where(line => line.StartsWith(KillPoints.Gone, StringComparison.Ordinal))
            .Select(PointerIn)
            .ToList();
        foreach (var size in (int[])[20, 300, 800, 1500, 3000, 20_000])
            _ = again.Put(Piles.Payload(1, size));
        Assert.All(stale, pointer => Assert.False(again.IsLive(pointer), "A stale pointer came to life."));
    }

    private static void CheckObjects(LocalPile pile, string[] report)
    {
        var known = new HashSet<PilePointer>();
        foreach (var line in report.Where(line => line != KillPoints.AllOrNothing))
        {
            var pointer = PointerIn(line);
            known.Add(pointer);
            CheckObject(pile, pointer, line.Split(' '));
        }

        foreach (var found in pile.Enumerate())
        {
            var isExpected = known.Contains(found.Pointer)
                || Piles.IsPayload(pile.GetBytes(found.Pointer), KillPoints.NewSeed);
            Assert.True(isExpected, $"{found.Pointer} is a phantom.");
        }
    }

    private static void CheckObject(LocalPile pile, PilePointer pointer, string[] line)
    {
        var seed = ulong.Parse(line[2], CultureInfo.InvariantCulture);
        switch (line[0])
        {
            case KillPoints.Stays:
                Assert.True(Piles.IsPayload(pile.GetBytes(pointer), seed), "An object that nobody touched is torn.");
                break;
            case KillPoints.Gone:
                Assert.False(pile.IsLive(pointer), "A deleted object is there.");
                break;
            case KillPoints.Changes:
                Assert.True(IsOneOf(pile, pointer, seed), "The object is torn.");
                break;
            default:
                Assert.True(!pile.IsLive(pointer) || IsOneOf(pile, pointer, seed), "The object is torn.");
                break;
        }
    }

    // Seed zero stands for the string.
    private static bool IsOneOf(LocalPile pile, PilePointer pointer, ulong oldSeed)
    {
        var payload = new byte[pile.SizeOf(pointer)];
        pile.Read(pointer, payload);
        return Piles.IsPayload(payload, KillPoints.NewSeed)
            || (oldSeed == 0 ? payload.AsSpan().IndexOfAnyExcept((byte)'x') < 0 : Piles.IsPayload(payload, oldSeed));
    }

    private static PilePointer PointerIn(string line) =>
        PilePointer.FromUInt64(ulong.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture));
}
