using Cluster.Pile.Memory;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Memory;

/// <summary>Limits of control groups, made up in files, and of the address space, set for a moment.</summary>
[Collection(nameof(RunsAlone))]
public sealed class MemoryLimitTests : IDisposable
{
    private const string PrLimit = "/usr/bin/prlimit";
    private const long GiB = 1L << 30;

    private readonly string _folder = Directory.CreateTempSubdirectory("pile-limits").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("0::/a/b", "a/b/memory.max", "12000000")]
    [InlineData("0::/a/b", "a/memory.max", "12000000")]
    [InlineData("0::/", "memory.max", "12000000")]
    [InlineData("5:memory:/docker/1", "memory/docker/1/memory.limit_in_bytes", "12000000")]
    [InlineData("5:cpu,memory:/docker/1", "memory/memory.limit_in_bytes", "12000000\n")]
    [InlineData("1:name=systemd:/x\n5:memory:/y\n0::/x", "memory/y/memory.limit_in_bytes", "12000000")]
    public void BudgetAboveTheGroupsLimit_IsRefusedAtTheStart_WithBothFigures(string groups, string file, string limit)
    {
        var limits = Write(groups, (file, limit));
        var options = new PileOptions { BudgetBytes = 16_000_001, Limits = limits };
        var refused = Assert.Throws<ArgumentException>(() => new LocalPile(options));
        Assert.Contains($"{12_000_000:N0}", refused.Message, StringComparison.Ordinal);
        Assert.Contains($"{16_000_001:N0}", refused.Message, StringComparison.Ordinal);
        Assert.Contains(file, refused.Message, StringComparison.Ordinal);
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 12_000_000, Limits = limits });
    }

    [Fact]
    public void LimitsOfSeveralGroups_TheTightestCounts()
    {
        var limits = Write(
            "0::/a/b", ("a/b/memory.max", "9000000"), ("a/memory.max", "8000000"), ("memory.max", "max"));
        Assert.Equal(8_000_000, limits.Smallest()!.Value.Bytes);
    }

    [Fact]
    public void GroupsWithoutLimit_RefuseNothing()
    {
        var limits = Write("0::/a", ("a/memory.max", "max"), ("memory/memory.limit_in_bytes", "9223372036854771712"));
        Assert.Null(limits.Smallest());
        Assert.Null(new MemoryLimits(Path.Join(_folder, "missing"), _folder).Smallest());
    }

    [RequiresFileFact(PrLimit)]
    public void AddressSpaceLimit_RefusesTheBudgetAboveIt_AndTheRangeThatDoesNotFitBeside()
    {
        var used = GC.GetTotalMemory(false) + AddressSpaceBytes();
        var limit = used + (40 * GiB);
        SetAddressSpaceLimit($"{limit}:");
        try
        {
            var above = new PileOptions { BudgetBytes = Math.Min(limit + GiB, PileOptions.MaxBudgetBytes) };
            var refused = Assert.Throws<ArgumentException>(() => new LocalPile(above));
            Assert.Contains($"{limit:N0}", refused.Message, StringComparison.Ordinal);
            Assert.Contains($"{above.BudgetBytes:N0}", refused.Message, StringComparison.Ordinal);
            Assert.Contains("RLIMIT_AS", refused.Message, StringComparison.Ordinal);

            var beside = new PileOptions { BudgetBytes = 60 * GiB };
            Assert.Throws<InsufficientMemoryException>(() => new LocalPile(beside));
            using var pile = Piles.Create();
            Assert.Equal(5, pile.SizeOf(pile.Put(new byte[5])));
        }
        finally
        {
            SetAddressSpaceLimit("unlimited:");
        }
    }

    private static long AddressSpaceBytes()
    {
        var line = File.ReadLines("/proc/self/status").Single(l => l.StartsWith("VmSize:", StringComparison.Ordinal));
        return long.Parse(line["VmSize:".Length..^"kB".Length], CultureInfo.InvariantCulture) * 1024;
    }

    private static void SetAddressSpaceLimit(string limit)
    {
        using var process = Process.Start(PrLimit, [$"--pid={Environment.ProcessId}", $"--as={limit}"]);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }

    private MemoryLimits Write(string groups, params (string Path, string Text)[] files)
    {
        var groupFile = Path.Join(_folder, "self");
        File.WriteAllText(groupFile, groups);
        foreach (var (path, text) in files)
        {
            var full = Path.Join(_folder, "root", path);
            Directory.CreateDirectory(Path.GetDirectoryName(full)!);
            File.WriteAllText(full, text);
        }

        return new MemoryLimits(groupFile, Path.Join(_folder, "root"));
    }
}
