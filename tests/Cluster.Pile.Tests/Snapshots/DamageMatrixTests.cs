using Cluster.Pile.Snapshots;
using Cluster.Pile.Tests.Mapped;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Acceptance case 29 as one matrix: every file that really is in a folder, times every kind of damage. A file
/// that this does not know yet fails the test.</summary>
[Trait("Case", "pile-29")]
public sealed class DamageMatrixTests(ITestOutputHelper output)
{
    private const long Budget = 36 * Piles.MiB;

    // All that tells which blocks are in use is in two pages.
    private const long BudgetSmall = 8 * Piles.MiB;
    private const int PageBytes = 4096;
    private const int UnitBytes = 64;
    private const int TrialsOfEach = 3;

    // What a block or a segment of a table has of the model, at most.
    private const int LostMax = DamageModel.CountOfEach;

    /// <summary>How a mapped folder was left.</summary>
    public enum Left
    {
        /// <summary>Disposed.</summary>
        Clean,

        /// <summary>By the death of the process that made it, which never took a checksum of a block.</summary>
        Killed,

        /// <summary>By the death of a process that had found it clean and changed nothing.</summary>
        KilledAfterReading,
    }

    private const int SeedShort = 29;

    private int _seed = SeedShort;
    private Random _random = new(SeedShort);

    private enum Outcome
    {
        /// <summary>The bytes are never read, or they are computed again.</summary>
        Whole,

        /// <summary>The file is named, and the rest is not looked at.</summary>
        Refused,

        /// <summary>As before, or the block is named; or it hit what is of no use, and all is there.</summary>
        RefusedOrWhole,

        /// <summary>As before; or all but what the damage hit is there.</summary>
        RefusedOrRest,
    }

    [Fact]
    public async Task Snapshot_WithAnyFileDamagedInAnyWay_IsRefusedWithThePlace()
    {
        using var folder = new SnapshotDirectory();
        DamageModel model;
        using (var pile = Piles.Create(Budget))
        {
            model = new DamageModel(pile);
            await pile.SaveAsync(folder.Path);
            await pile.SaveAsync(folder.Path);
        }

        var trials = 0;
        foreach (var name in folder.Names)
        {
            var isNewest = name == SnapshotFormat.NameOf(2, SnapshotFormat.BlocksEnding)
                || name == SnapshotFormat.NameOf(2, SnapshotFormat.ManifestEnding);
            var isOlder = name == SnapshotFormat.NameOf(1, SnapshotFormat.BlocksEnding)
                || name == SnapshotFormat.NameOf(1, SnapshotFormat.ManifestEnding);
            Assert.True(isNewest || isOlder, $"{name} is a file that this test does not cover.");
            var path = Path.Join(folder.Path, name);
            var whole = await File.ReadAllBytesAsync(path);
            foreach (var (damage, bytes) in DamagesOf(whole))
            {
                await File.WriteAllBytesAsync(path, bytes);
                if (isOlder)
                {
                    // Nobody asks for it as long as the newest one is whole.
                    using var newest = await folder.RestoreAsync();
                    Assert.Equal(0, model.CountLost(newest));
                }

                var failure = await Assert.ThrowsAsync<PileSnapshotException>(
                    () => folder.RestoreAsync(generation: isOlder ? 1 : null));
                Assert.True(failure.Message.Contains(path, StringComparison.Ordinal), $"{damage}: {failure.Message}");
                Assert.Equal(isOlder ? null : 1, failure.GoodGeneration);
                trials++;
            }

            await File.WriteAllBytesAsync(path, whole);
        }

        output.WriteLine($"{trials} damages of {folder.Names.Length} files");
    }

    [Theory]
    [InlineData(Left.Clean, Budget)]
    [InlineData(Left.Clean, BudgetSmall)]
    [InlineData(Left.Killed, Budget)]
    [InlineData(Left.Killed, BudgetSmall)]
    [InlineData(Left.KilledAfterReading, Budget)]
    [InlineData(Left.KilledAfterReading, BudgetSmall)]
    public void MappedFolder_WithAnyFileDamagedInAnyWay_IsRefusedWithThePlace_OrTheRestIsThere(Left left, long budget)
    {
        using var folder = Filled(left, budget, out var model);
        var (trials, refused, partly) = (0, 0, 0);
        foreach (var path in Directory.GetFiles(folder.FullName))
        {
            var outcome = ExpectedOf(Path.GetFileName(path), left);
            foreach (var (damage, bytes) in DamagesOf(File.ReadAllBytes(path)))
            {
                using var copy = folder.CopyAsIfKilled();
                var file = Path.Join(copy.FullName, Path.GetFileName(path));
                File.WriteAllBytes(file, bytes);
                var what = $"{Path.GetFileName(path)}, {damage}, seed {_seed}";
                trials++;
                try
                {
                    using var pile = copy.Attach(budget);
                    var lost = model.CountLost(pile);
                    Assert.True(outcome != Outcome.Refused, $"{what}: accepted, {lost} lost");
                    Assert.True(lost <= (outcome == Outcome.RefusedOrRest ? LostMax : 0), $"{what}: {lost} lost");
                    partly += lost > 0 ? 1 : 0;
                }
                catch (PileFolderException e)
                {
                    Assert.True(outcome != Outcome.Whole, $"{what}: {e.Message}");
                    Assert.True(e.Message.Contains(copy.FullName, StringComparison.Ordinal), $"{what}: {e.Message}");
                    Assert.True(
                        e.Message.Contains(file, StringComparison.Ordinal)
                            || e.Message.Contains("block", StringComparison.Ordinal),
                        $"{what}: {e.Message}");
                    refused++;
                }
            }
        }

        output.WriteLine($"{trials} damages, {refused} refused, {partly} lost a part");
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void MappedFolder_DamagedInManyWays_IsRefusedWithThePlace_OrTheRestIsThere()
    {
        for (var round = 0; round < 40; round++)
        {
            _seed = Environment.ProcessId + round;
            _random = new Random(_seed);
            MappedFolder_WithAnyFileDamagedInAnyWay_IsRefusedWithThePlace_OrTheRestIsThere(
                (Left)(round % 3), round % 2 == 0 ? Budget : BudgetSmall);
        }
    }

    // What nobody has taken a checksum of is rebuilt from what is there. Intents tell of updates, and none is under
    // way.
    private static Outcome ExpectedOf(string file, Left left) => file switch
    {
        "header" or "state" or "types" or "catalog" => Outcome.Refused,
        "tables-1" => left == Left.Clean ? Outcome.Refused : Outcome.RefusedOrWhole,
        "blocks" => left == Left.Killed ? Outcome.RefusedOrRest : Outcome.RefusedOrWhole,
        "intents" => Outcome.RefusedOrWhole,
        "lock" or "owner" => Outcome.Whole,
        _ => throw new InvalidOperationException($"{file} is a file that this test does not cover."),
    };

    // Where something is: most of a file of blocks is holes.
    private IEnumerable<(string Damage, byte[] Bytes)> DamagesOf(byte[] whole)
    {
        for (var trial = 0; trial < TrialsOfEach && whole.Length > 0; trial++)
        {
            var at = InUse(whole, 1);
            yield return ($"bit flipped at {at}", Changed(whole, copy => copy[at] ^= (byte)(1 << _random.Next(8))));
            var length = trial == 0 ? whole.Length - 1 : _random.Next(whole.Length);
            yield return ($"cut to {length}", whole[..length]);
            var page = InUse(whole, 1) / PageBytes * PageBytes;
            var zeros = Math.Min(PageBytes, whole.Length - page);
            yield return ($"zero page at {page}", Changed(whole, copy => copy.AsSpan(page, zeros).Clear()));
            if (whole.Length < 2 * UnitBytes)
                continue;
            var from = InUse(whole, UnitBytes) / sizeof(ulong) * sizeof(ulong);
            var to = InUse(whole, UnitBytes) / sizeof(ulong) * sizeof(ulong);
            var twice = Changed(whole, copy => whole.AsSpan(from, UnitBytes).CopyTo(copy.AsSpan(to)));
            if (!twice.AsSpan().SequenceEqual(whole))
                yield return ($"{UnitBytes} bytes of {from} again at {to}", twice);
        }
    }

    private int InUse(byte[] bytes, int room)
    {
        for (var attempt = 0; attempt < 100_000; attempt++)
        {
            var at = _random.Next(bytes.Length - room + 1);
            if (bytes[at] != 0)
                return at;
        }

        return 0;
    }

    private static byte[] Changed(byte[] bytes, Action<byte[]> change)
    {
        var copy = (byte[])bytes.Clone();
        change(copy);
        return copy;
    }

    private static TestFolder Filled(Left left, long budget, out DamageModel model)
    {
        var folder = new TestFolder();
        using (var pile = folder.Attach(budget))
        {
            model = new DamageModel(pile);
            if (left == Left.Killed)
                return AsIfKilled(folder, pile);
        }

        if (left == Left.Clean)
            return folder;
        using var reading = folder.Attach(budget);
        Assert.Equal(0, model.CountLost(reading));
        return AsIfKilled(folder, reading);
    }

    private static TestFolder AsIfKilled(TestFolder folder, LocalPile pile)
    {
        var copy = folder.CopyAsIfKilled();
        pile.Dispose();
        folder.Dispose();
        return copy;
    }
}
