using System.Net.Sockets;
using Cluster.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>The message and the exit code of a node that cannot start.</summary>
public sealed class NodeStartTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task PortInUse_IsNamedWithoutAStackTrace()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = ((IPEndPoint)other.LocalEndpoint).Port;
        await using var nodes = NodeProcesses.OnFileStore(output);
        await CheckAsync(
            nodes.Start("n1", $"--Cluster:ListenAddress=http://127.0.0.1:{port}"), ClusterExitCode.PortUnusable,
            "Cluster:ListenAddress", $"127.0.0.1:{port}", "in use");
        await CheckAsync(
            nodes.Start("n1", $"--Cluster:LivenessPort={port}"), ClusterExitCode.PortUnusable, "Cluster:LivenessPort", "in use");
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task StartFailureThatNobodyCatches_EndsWithItsExitCode()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        var node = nodes.Start("n1", "--uncaught=yes", "--Cluster:PartitionCount=1000");
        await CheckAsync(node, ClusterExitCode.ConfigurationInvalid, "Cluster:PartitionCount is '1000'", "Correct the named");
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task ExpelledWhileItsHostStarts_EndsWithItsExitCode()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        await using var node = nodes.Start("n1", "--endless-start=yes");
        await node.WaitForLineAsync(static line => line.Contains("is an active member", StringComparison.Ordinal), Bound);

        await nodes.DeclareAllDeadAsync();

        await CheckAsync(node, ClusterExitCode.Expelled, "lists this node as gone", "The start was cancelled");
    }

    [Fact]
    public async Task FolderThatCannotBeWritten_IsNamed()
    {
        var file = Path.GetTempFileName();
        try
        {
            // A path below a file cannot be a folder, not even for the superuser.
            await using var nodes = NodeProcesses.OnFileStore(output);
            await CheckAsync(nodes.Start("n1", $"--folder={file}/store"), ClusterExitCode.StoreUnusable, file);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task WrongSettings_AreAllNamedAtOnce()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        await CheckAsync(
            nodes.Start(
                "n1", "--Cluster:PartitionCount=1000", "--Cluster:LivenessPort=seven", "--Cluster:Role=Boss",
                "--Cluster:ListenAddress=ftp://x", "--Cluster:StartTimeout=-1"),
            ClusterExitCode.ConfigurationInvalid,
            "Cluster:PartitionCount is '1000'", "Cluster:LivenessPort is 'seven'", "Cluster:Role is 'Boss'",
            "Cluster:ListenAddress is 'ftp://x'", "Cluster:StartTimeout is '-1");
    }

    [Fact]
    public async Task SecondNodeOfTheSameName_IsRefusedWhileTheFirstLives()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        await using var first = nodes.Start("n1");
        await first.WaitForLineAsync(line => line == "started", Bound);
        await CheckAsync(nodes.Start("n1"), ClusterExitCode.NameTaken, "'n1' is alive");
        Assert.False(first.HasExited);
    }

    [Fact]
    public async Task OtherPartitionCount_IsRefused()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        await nodes.Start("n1").WaitForLineAsync(line => line == "started", Bound);
        await CheckAsync(
            nodes.Start("n2", "--Cluster:PartitionCount=256"), ClusterExitCode.StoreIncompatible, "64 partitions", "is 256");
    }

    [Fact]
    public async Task ConsulThatIsNotThere_IsNamed()
    {
        await using var nodes = NodeProcesses.OnFileStore(output);
        using var port = new RefusingPort();
        await using var node = ChildProcess.StartDotnet(
            typeof(Host.Note).Assembly.Location,
            [$"--Cluster:Consul:Address=http://127.0.0.1:{port.Number}", "--Cluster:StartTimeout=00:00:03"]);
        await CheckAsync(node, ClusterExitCode.StoreUnreachable, $"{port.Number}");
    }

    private static async Task CheckAsync(ChildProcess node, ClusterExitCode expected, params string[] parts)
    {
        Assert.Equal((int)expected, await node.WaitForExitAsync(Bound));
        foreach (var part in parts)
            Assert.Contains(part, node.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(node.Lines, line => line.StartsWith("   at ", StringComparison.Ordinal));
    }
}
