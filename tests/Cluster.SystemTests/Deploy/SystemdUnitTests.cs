using Cluster.Nodes;
using Cluster.SystemTests.Packages;
using Cluster.Testing;
using Grpc.Core;
using Grpc.Health.V1;
using Grpc.Net.Client;
using static System.FormattableString;

namespace Cluster.SystemTests.Deploy;

/// <summary>The unit of systemd fits the program, and the published program runs as the unit says.</summary>
public sealed class SystemdUnitTests
{
    private const string UnitPath = "deploy/systemd/shop.service";
    private const string SettingsPath = "deploy/systemd/shop.env";
    private static readonly TimeSpan StartBound = TimeSpan.FromMinutes(1);

    [Fact]
    public void Unit_WaitsForTheDrain_AndNamesExitCodesThatExist()
    {
        var unit = SystemdUnit.Read(UnitPath);
        var drain = TimeSpan.Parse(SystemdUnit.Read(SettingsPath)["Cluster__DrainTimeout"], CultureInfo.InvariantCulture);
        Assert.True(StopTimeoutOf(unit) > drain);
        Assert.Equal("SIGTERM", unit["KillSignal"]);
        ClusterExitCode[] final =
            [ClusterExitCode.StoreIncompatible, ClusterExitCode.StoreDenied, ClusterExitCode.ConfigurationInvalid];
        Assert.Equal(
            final.Select(static code => ((int)code).ToString(CultureInfo.InvariantCulture)),
            unit["RestartPreventExitStatus"].Split(' '));
    }

    [Fact]
    public void Settings_AreOptionsThatExist() => Assert.Empty(SystemdUnit.Read(SettingsPath).All
        .Select(static one => DeployedSettings.FindProblem(one.Key, one.Value)).OfType<string>());

    [Fact]
    public async Task PublishedProgram_RunsAsTheUnitSays_AndEndsInOrder()
    {
        var folder = Directory.CreateTempSubdirectory("cluster-unit-").FullName;
        try
        {
            var program = Path.Combine(folder, "program");
            await DotnetCommand.RunAsync(
                RepositoryFolder.Path,
                "publish", "nodes/Shop", "-c", DotnetCommand.Configuration, "--no-build", "-o", program);
            var unit = SystemdUnit.Read(UnitPath);
            var (calls, liveness) = (FreePorts.Next(), FreePorts.Next());
            var command = unit["ExecStart"].Replace("/opt/shop", program, StringComparison.Ordinal).Split(' ');
            Assert.Equal("/usr/bin/dotnet", command[0]);
            await using var node = ChildProcess.StartDotnet(command[1], command[2..], start =>
            {
                start.WorkingDirectory = unit["WorkingDirectory"].Replace("/opt/shop", program, StringComparison.Ordinal);
                foreach (var (variable, value) in SystemdUnit.Read(SettingsPath).All)
                {
                    start.Environment[variable] = value
                        .Replace("/var/lib", folder, StringComparison.Ordinal)
                        .Replace("5101", Invariant($"{calls}"), StringComparison.Ordinal)
                        .Replace("5102", Invariant($"{liveness}"), StringComparison.Ordinal);
                }
            });
            await WaitUntilServingAsync(calls, HealthNames.Ready);
            await WaitUntilServingAsync(calls, HealthNames.Live);
            node.Send(ProcessSignal.Terminate);
            Assert.Equal(0, await node.WaitForExitAsync(StopTimeoutOf(unit)));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static TimeSpan StopTimeoutOf(SystemdUnit unit) =>
        TimeSpan.FromSeconds(int.Parse(unit["TimeoutStopSec"], CultureInfo.InvariantCulture));

    private static async Task WaitUntilServingAsync(int port, string service)
    {
        using var channel = GrpcChannel.ForAddress(Invariant($"http://127.0.0.1:{port}"));
        var health = new Health.HealthClient(channel);
        await Eventually.TrueAsync(
            async () =>
            {
                try
                {
                    var answer = await health.CheckAsync(new HealthCheckRequest { Service = service });
                    return answer.Status == HealthCheckResponse.Types.ServingStatus.Serving;
                }
                catch (RpcException failure) when (failure.StatusCode == StatusCode.Unavailable)
                {
                    return false;
                }
            },
            StartBound,
            service);
    }
}
