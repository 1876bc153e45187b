using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.Nodes.Tests.Clocks;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>The program of this assembly, which tests run as a child process. By role it holds locks of a file store
/// until it is killed or its input ends, swaps tables until it is killed, or stores a secret on a full disk. Or it does
/// what <see cref="StarvedChild"/> says.</summary>
internal static class StoreChild
{
    public const string Ready = "ready";

    public static ChildProcess Start(string role, string folder, string clusterName, NodeId node) =>
        ChildProcess.StartDotnet(
            typeof(StoreChild).Assembly.Location, [role, folder, clusterName, node.Name, node.Incarnation.ToString()]);

    private static async Task<int> Main(string[] arguments)
    {
        if (arguments is [StarvedChild.Role, var what])
            return StarvedChild.Run(what);
        if (arguments is not [var role, var folder, var clusterName, var name, var incarnation])
            return 2;
        await using var store = new FileClusterStore(folder, clusterName, TimeProvider.System);
        var node = new NodeId(name, Guid.Parse(incarnation));
        switch (role)
        {
            case "coordinate": await CoordinateAsync(store, node); break;
            case "hold-table": await HoldTableAsync(folder, clusterName); break;
            case "secret-on-a-full-disk": await MakeSecretOnAFullDiskAsync(store, folder, clusterName); break;
            case "swap": await SwapForeverAsync(store); break;
            default: return 2;
        }

        return 0;
    }

    private static async Task CoordinateAsync(FileClusterStore store, NodeId node)
    {
        await store.RegisterAsync(node, "http://127.0.0.1:1", CancellationToken.None);
        var lease = await store.TryAcquireCoordinatorAsync(node, CancellationToken.None);
        await WaitForTheEndAsync(lease is null ? "no lease" : Ready);
    }

    private static async Task HoldTableAsync(string folder, string clusterName)
    {
        var path = new StoreFolder(folder, clusterName).TableLockPath;
        using var held = OsLock.TryAcquire(path, FileMode.OpenOrCreate);
        await WaitForTheEndAsync(held is null ? "no lock" : Ready);
    }

    private static async Task SwapForeverAsync(FileClusterStore store)
    {
        var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
        while (true)
        {
            table = StoreTables.Next(table);
            await store.CompareAndSwapAsync(table, null, CancellationToken.None);
            Console.WriteLine(table.Version);
        }
    }

    private static async Task MakeSecretOnAFullDiskAsync(FileClusterStore store, string folder, string clusterName)
    {
        await store.CreateAsync(StoreTables.NewMeta(clusterName), CancellationToken.None);
        var filler = Path.Combine(folder, "filler");
        FillDisk(filler);
        try
        {
            store.ReadSecret(static () => "a secret that has no room");
        }
        catch (ClusterStoreException refusal)
        {
            Console.WriteLine(ClusterStartException.From(refusal, store.Description).Message);
        }

        var left = Directory.GetFiles(folder, "secret*", SearchOption.AllDirectories).Length;
        File.Delete(filler);
        Console.WriteLine($"{left} files were left; then: {store.ReadSecret(static () => "a secret that has room")}");
    }

    private static void FillDisk(string path)
    {
        using var filler = File.Create(path);
        try
        {
            while (true)
                filler.Write(new byte[4_096]);
        }
        catch (IOException)
        {
            // The disk is full.
        }
    }

    private static async Task WaitForTheEndAsync(string word)
    {
        Console.WriteLine(word);
        await Console.In.ReadToEndAsync();
    }
}
