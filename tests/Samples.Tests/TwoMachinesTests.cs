using Cluster.Testing;
using Cluster.Testing.Consul;

namespace Samples.Tests;

public sealed class TwoMachinesTests
{
    private const string First = "127.0.0.1", Second = "127.0.0.2";

    [ConsulFact]
    public async Task Nodes_WithCertificatesAndConsul_ShareTheirState()
    {
        using var folder = new SampleFolder();
        await using var consul = await ConsulServer.StartAsync();
        await SampleProcess.RunAsync("TwoMachines", null, ["certificates", folder.Path, First, Second]);
        await using var one = Start(First, consul, folder, "--Cluster:Bootstrap=true");
        await WaitForGreetingAsync(one, First);
        await using var two = Start(Second, consul, folder);
        await WaitForGreetingAsync(two, Second);
        await WaitForGreetingAsync(two, First);
    }

    [ConsulFact]
    public async Task Node_WithACertificateOfAnotherAuthority_DoesNotJoin()
    {
        using var folder = new SampleFolder();
        using var stranger = new SampleFolder();
        await using var consul = await ConsulServer.StartAsync();
        await SampleProcess.RunAsync("TwoMachines", null, ["certificates", folder.Path, First]);
        await SampleProcess.RunAsync("TwoMachines", null, ["certificates", stranger.Path, Second]);
        await using var one = Start(First, consul, folder, "--Cluster:Bootstrap=true");
        await WaitForGreetingAsync(one, First);
        await using var two = Start(Second, consul, stranger, "--Cluster:StartTimeout=00:00:10");
        await two.WaitForLineAsync(
            static line => line.Contains("certificate", StringComparison.Ordinal), SampleProcess.Bound);
    }

    private static ChildProcess Start(
        string machine, ConsulServer consul, SampleFolder certificates, params string[] settings)
    {
        var port = FreePorts.Next();
        return SampleProcess.Start(
            "TwoMachines",
            null,
            [
                "node", certificates.Path, machine, $"--Cluster:Consul:Address={consul.Address}",
                $"--Samples:Port={port.ToString(CultureInfo.InvariantCulture)}", .. settings,
            ],
            ("Cluster__Secret", "a secret that these two nodes share"));
    }

    private static Task<string> WaitForGreetingAsync(ChildProcess node, string machine) =>
        node.WaitForLineAsync(line => line == $"Hello from {machine}", SampleProcess.Bound);
}
