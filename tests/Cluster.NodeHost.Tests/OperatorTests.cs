using Cluster.Contracts;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.NodeHost.Tests;

/// <summary>The operator's commands on a cluster store. The derived classes provide a real store that can be
/// emptied.</summary>
[Trait("Case", "repair-C11")]
public abstract class OperatorTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("cluster-operator-").FullName;

    private string ExportPath => Path.Combine(_folder, "table.json");

    /// <summary>A cluster's name that no other test uses.</summary>
    private protected string Name { get; } = $"shop-{Guid.NewGuid():N}";

    /// <summary>The options that name the store.</summary>
    private protected abstract string[] StoreOptions { get; }

    private protected abstract IClusterStore Open();

    /// <summary>Removes all contents of the store.</summary>
    private protected abstract Task EmptyAsync();

    public virtual Task InitializeAsync() => Task.CompletedTask;

    public virtual Task DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return Task.CompletedTask;
    }

    private protected async Task CheckRestoreAsync()
    {
        var before = await CreateClusterAsync();
        await CheckAsync(0, ["table", "export", "--to", ExportPath], "Exported table 2");
        await CheckAsync(OperatorExitCode.StoreTaken, ["table", "import", "--from", ExportPath, "--yes"], "already holds");
        await EmptyAsync();
        await CheckAsync(OperatorExitCode.FileMissing, ["table", "export", "--to", ExportPath], "nothing to export");
        await CheckAsync(OperatorExitCode.Usage, ["table", "import", "--from", ExportPath], "Add --yes");
        await using (var emptied = Open())
            Assert.Null(await emptied.ReadMetaAsync(CancellationToken.None));

        var log = Path.Combine(_folder, "operator.log");
        await CheckAsync(
            0, ["table", "import", "--from", ExportPath, "--yes", "--log", log], "operator", "imported table 3");
        Assert.Contains("imported table 3", Assert.Single(await File.ReadAllLinesAsync(log)), StringComparison.Ordinal);
        await using var store = Open();
        var meta = await store.ReadMetaAsync(CancellationToken.None);
        var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        Assert.Equal(before.Meta, meta);
        Assert.Equal(before.Table.Version + 1, table.Version);
        Assert.Equal(before.Table.Members.ToArray(), table.Members.ToArray());
        Assert.Equal(before.Table.Partitions.ToArray(), table.Partitions.ToArray());

        // After the restore, a node can join again.
        var joined = table.StartSuccessor(Guid.NewGuid()).WithMember(Member(2));
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(joined, null, CancellationToken.None));
    }

    private protected async Task CheckDeadAsync()
    {
        await CreateClusterAsync();
        await CheckAsync(OperatorExitCode.NoSuchMember, ["member", "dead", "nobody", "--yes"], "no living node 'nobody'", "n0");
        await CheckAsync(OperatorExitCode.Usage, ["member", "dead", "n0"], "32 partitions", "Add --yes");
        await CheckAsync(0, ["member", "dead", "n0", "--yes"], "declared node n0");
        await using var store = Open();
        var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        Assert.Equal(MemberState.Gone, table.FindMember(Member(0).Node)!.State);
        Assert.Equal(MemberState.Active, table.FindMember(Member(1).Node)!.State);
        Assert.Contains("declared dead by the operator", Assert.Single(table.Deaths).Proof, StringComparison.Ordinal);
        await CheckAsync(OperatorExitCode.NoSuchMember, ["member", "dead", "n0", "--yes"], "no living node");
    }

    private protected async Task CheckDamagedFilesAsync()
    {
        await CreateClusterAsync();
        await CheckAsync(0, ["table", "export", "--to", ExportPath], "Exported");
        await EmptyAsync();
        var text = await File.ReadAllTextAsync(ExportPath);
        foreach (var damaged in new[] { "", "{", "null", text.Replace("\"Version\": 2", "\"Version\": 7"), text[..^40] })
        {
            await File.WriteAllTextAsync(ExportPath, damaged);
            await CheckAsync(
                OperatorExitCode.FileDamaged, ["table", "import", "--from", ExportPath, "--yes"], "no usable export");
        }

        await CheckAsync(
            OperatorExitCode.FileMissing, ["table", "import", "--from", ExportPath + ".no", "--yes"], "cannot be read");
        await using var store = Open();
        Assert.Null(await store.ReadMetaAsync(CancellationToken.None));
    }

    private async Task CheckAsync(int exitCode, string[] arguments, params string[] parts)
    {
        var (code, said) = await Operator.RunAsync([.. arguments, "--name", Name, .. StoreOptions]);
        Assert.True(exitCode == code, $"{code} instead of {exitCode}: {said}");
        Assert.All(parts, part => Assert.Contains(part, said, StringComparison.Ordinal));
    }

    private async Task<(ClusterMeta Meta, ClusterTable Table)> CreateClusterAsync()
    {
        await using var store = Open();
        var meta = new ClusterMeta(Guid.NewGuid(), Name, 64, 42, ClusterMeta.CurrentFormatVersion);
        await store.CreateAsync(meta, CancellationToken.None);
        var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        table = table.StartSuccessor(Guid.NewGuid()).WithMember(Member(0)).WithMember(Member(1));
        table = table with
        {
            Partitions = [.. table.Partitions.Select((entry, index) => entry.AssignFirst(new NodeSlot((ushort)(index % 2))))],
        };
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(table, null, CancellationToken.None));
        return (meta, table);
    }

    private static ClusterMember Member(int number) => new(
        new NodeSlot((ushort)number),
        new NodeId($"n{number}", new Guid(number + 1, 0, 0, new byte[8])),
        $"http://127.0.0.1:{7000 + number}",
        $"127.0.0.1:{8000 + number}",
        default,
        MemberState.Active);
}
