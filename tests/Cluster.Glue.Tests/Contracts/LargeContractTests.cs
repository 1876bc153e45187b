using System.Globalization;
using Cluster.Glue.Tests.Versions;

namespace Cluster.Glue.Tests.Contracts;

/// <summary>A contract with 200 methods. Acceptance case 7.</summary>
public sealed class LargeContractTests
{
    private const int MethodCount = 200;

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "glue-7")]
    public async Task TwoHundredMethods_AreEachCalled(GlueTransport transport)
    {
        var build = new ContractBuild(Source());
        await using GlueHost host = await GlueHost.StartAsync(
            null, glue => build.AddService(glue, "Shop.IMany", "Shop.Many"));
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        object proxy = build.CreateProxy(client, "Shop.IMany", host.Address);
        string expected = string.Join(' ', Enumerable.Range(0, MethodCount).Select(i => 1000 * i + 7));
        Assert.Equal(expected, await build.RunAsync("CallAll", proxy));
    }

    private static string Source()
    {
        string Each(Func<int, string> line) => string.Join('\n', Enumerable.Range(0, MethodCount).Select(line));
        return $$"""
            namespace Shop;
            public interface IMany { {{Each(i => $"Task<int> M{Number(i)}Async(int value);")}} }
            public sealed class Many : IMany
            {
                {{Each(i => $"public Task<int> M{Number(i)}Async(int value) => Task.FromResult({Number(1000 * i)} + value);")}}
            }
            public static class Program
            {
                public static async Task<string> CallAll(IMany many)
                {
                    var results = new List<int>();
                    {{Each(i => $"results.Add(await many.M{Number(i)}Async(7));")}}
                    return string.Join(' ', results);
                }
            }
            """;
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
