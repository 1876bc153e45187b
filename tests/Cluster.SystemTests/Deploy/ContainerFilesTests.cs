using Cluster.Nodes;
using Cluster.Testing;

namespace Cluster.SystemTests.Deploy;

/// <summary>What the files for containers say fits the program that they run.</summary>
public sealed class ContainerFilesTests
{
    private static readonly TimeSpan DrainTimeout = new ClusterOptions().DrainTimeout;

    [Fact]
    public void Compose_SetsOptionsThatExist_AndWaitsForTheDrain()
    {
        var compose = YamlFile.Read("deploy/container/compose.yaml").Single();
        var services = YamlFile.At<Dictionary<object, object>>(compose, "services");
        var nodes = services.Where(static service => service.Key is not "consul").ToList();
        Assert.Equal(3, nodes.Count);
        Assert.Single(nodes, node => EnvironmentOf(node.Value).ContainsKey("Cluster__Bootstrap"));
        Assert.All(nodes, node =>
        {
            AssertOptions(EnvironmentOf(node.Value));
            var (hostname, grace) = (
                YamlFile.At<string>(node.Value, "hostname"), YamlFile.At<string>(node.Value, "stop_grace_period"));
            Assert.Equal(hostname, EnvironmentOf(node.Value)["Cluster__NodeName"]);
            Assert.True(TimeSpan.FromSeconds(int.Parse(grace.TrimEnd('s'), CultureInfo.InvariantCulture)) > DrainTimeout);
            Assert.True(File.Exists(Path.Combine(
                RepositoryFolder.Path, YamlFile.At<string>(node.Value, "build.dockerfile"))));
        });
    }

    [Fact]
    public void Pods_SetOptionsThatExist_AndAreProbedByTheirHealthChecks()
    {
        var pods = YamlFile.Read("deploy/kubernetes/shop.yaml").Single(
            static document => YamlFile.At<string>(document, "kind") == "StatefulSet");
        var grace = YamlFile.At<string>(pods, "spec.template.spec.terminationGracePeriodSeconds");
        Assert.True(TimeSpan.FromSeconds(int.Parse(grace, CultureInfo.InvariantCulture)) > DrainTimeout);
        var node = YamlFile.At<Dictionary<object, object>>(pods, "spec.template.spec.containers.0");
        AssertOptions(YamlFile.At<List<object>>(node, "env")
            .Select(static one => (Name: YamlFile.At<string>(one, "name"), Map: (Dictionary<object, object>)one))
            .Where(static one => one.Name.Contains("__", StringComparison.Ordinal))
            .ToDictionary(
                static one => one.Name,
                static one => one.Map.GetValueOrDefault("value") as string ?? "$"));
        Assert.Equal(HealthNames.Live, YamlFile.At<string>(node, "startupProbe.grpc.service"));
        Assert.Equal(HealthNames.Live, YamlFile.At<string>(node, "livenessProbe.grpc.service"));
        Assert.Equal(HealthNames.Ready, YamlFile.At<string>(node, "readinessProbe.grpc.service"));
        Assert.Equal(
            YamlFile.At<string>(node, "ports.0.containerPort"), YamlFile.At<string>(node, "readinessProbe.grpc.port"));
    }

    [Fact]
    public void Containerfile_RunsTheProgram_OnTheRuntimeOfTheProjects()
    {
        var lines = File.ReadAllLines(Path.Combine(RepositoryFolder.Path, "deploy/container/Containerfile"));
        var images = lines.Where(static line => line.StartsWith("FROM ", StringComparison.Ordinal)).ToList();
        Assert.Equal(2, images.Count);
        var runtime = $":{Environment.Version.Major}.{Environment.Version.Minor}";
        Assert.All(images, image => Assert.Contains(runtime, image, StringComparison.Ordinal));
        Assert.Contains("""ENTRYPOINT ["dotnet", "Shop.dll"]""", lines);
        Assert.Contains("STOPSIGNAL SIGTERM", lines);
        var variables = lines.Single(static line => line.StartsWith("ENV ", StringComparison.Ordinal))[4..].Split(' ')
            .Select(static one => one.Split('=')).ToDictionary(static one => one[0], static one => one[1]);
        AssertOptions(variables.Where(static one => !one.Key.StartsWith("DOTNET_", StringComparison.Ordinal))
            .ToDictionary());
    }

    private static Dictionary<string, string> EnvironmentOf(object service) =>
        YamlFile.At<Dictionary<object, object>>(service, "environment")
            .ToDictionary(static one => (string)one.Key, static one => (string)one.Value);

    private static void AssertOptions(Dictionary<string, string> variables)
    {
        Assert.NotEmpty(variables);
        Assert.Empty(variables.Select(static one => DeployedSettings.FindProblem(one.Key, one.Value)).OfType<string>());
    }
}
