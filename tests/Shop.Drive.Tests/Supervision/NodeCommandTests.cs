using Microsoft.Extensions.Configuration;
using Shop.Drive.Supervision;

namespace Shop.Drive.Tests.Supervision;

public sealed class NodeCommandTests
{
    [Theory]
    [InlineData("/tmp/some folder", null, false)]
    [InlineData(null, "http://127.0.0.1:8500/", true)]
    public void ArgumentsFor_AnySettings_AreReadBackAsConfiguration(string? folder, string? consul, bool canBootstrap)
    {
        var place = new ClusterPlace("mine", folder, consul is null ? null : new Uri(consul));

        string[] arguments = [.. NodeCommand.ArgumentsFor("n2", place, 5, canBootstrap)];
        var read = new ConfigurationBuilder().AddCommandLine(arguments).Build();

        Assert.Equal("n2", read["Cluster:NodeName"]);
        Assert.Equal("mine", read["Cluster:Name"]);
        Assert.Equal(5, read.GetValue<int>("Cluster:InitialNodeCount"));
        Assert.Equal(canBootstrap, read.GetValue<bool>("Cluster:Bootstrap"));
        Assert.Equal(TimeSpan.FromMilliseconds(500), read.GetValue<TimeSpan>("Cluster:DrainTimeout"));
        Assert.Equal(folder, read[ShopCluster.FolderKey]);
        Assert.Equal(consul, read["Cluster:Consul:Address"]);
        Assert.True(read.GetValue<bool>(ShopCluster.EndWithParentKey));
    }

    [Fact]
    public void For_AnyNode_StartsTheProgramOfTheShop()
    {
        var command = NodeCommand.For("n1", new ClusterPlace("mine", "/tmp/x", null), 3, canBootstrap: false);

        var program = command.ArgumentList is ["exec", var assembly, ..] ? assembly : command.FileName;
        Assert.Equal("Shop", Path.GetFileNameWithoutExtension(program));
        Assert.True(File.Exists(program), program);
    }
}
