using Cluster.Glue.Tests.Versions;

namespace Cluster.Glue.Tests.Signatures;

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
        await using var host = await GlueHost.StartAsync(
            null, glue => build.AddService(glue, "Shop.IMany", "Shop.Many"));
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        var proxy = build.CreateProxy(client, "Shop.IMany", host.Address);
        var expected = string.Join(' ', Enumerable.Range(0, MethodCount).Select(i => 1000 * i + 7));
        Assert.Equal(expected, await build.RunAsync("CallAll", proxy));
    }

    /// <summary>220 types of a kilobyte of names each.</summary>
    [Fact]
    [Trait("Case", "glue-7")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task TypesThatFillManyEnvelopes_AreBoundInParts()
    {
        await using var pair = await VersionedPair.StartAsync(
            TypesSource(220, 4), TypesSource(220, 4), VersionTests.Binding.Link, "Shop.IMany");
        Assert.Equal(Expected(220), await pair.CallAsync("CallAll"));
    }

    /// <summary>What the server answers is as large.</summary>
    [Fact]
    [Trait("Case", "glue-95")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task TypesThatFillManyEnvelopes_WorkBetweenBuilds()
    {
        await using var pair = await VersionedPair.StartAsync(
            TypesSource(220, 4), TypesSource(220, 5), VersionTests.Binding.Link, "Shop.IMany");
        Assert.Equal(Expected(220), await pair.CallAsync("CallAll"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Case", "glue-95")]
    public async Task TypeThatIsTooLargeToDescribe_WorksBetweenEqualBuilds_AndIsRefusedBetweenOthers(int more)
    {
        await using var pair = await VersionedPair.StartAsync(
            TypesSource(1, 400), TypesSource(1, 400 + more), VersionTests.Binding.Link, "Shop.IMany");
        if (more == 0)
        {
            Assert.Equal(Expected(1), await pair.CallAsync("CallAll"));
        }
        else
        {
            var refused = await Assert.ThrowsAsync<GlueException>(() => pair.CallAsync("CallAll"));
            Assert.Equal(GlueErrorCode.LayoutMismatch, refused.Code);
            Assert.Contains("the caller does not describe it", refused.Message, StringComparison.Ordinal);
        }

        Assert.Equal("here", await pair.CallAsync("Ping"));
    }

    private static string Expected(int types) =>
        string.Join(' ', Enumerable.Range(0, types).Select(i => $"{i}{i + 1}"));

    // Few fields with long names cost little but many bytes to describe.
    private static string TypesSource(int types, int fields)
    {
        string Each(Func<int, string> line) => string.Join('\n', Enumerable.Range(0, types).Select(line));
        string Field(int type, int field) => $"F{Number(field)}{new string('x', 200)}T{Number(type)}";
        string FieldsOf(int type) =>
            string.Concat(Enumerable.Range(0, fields).Select(field => $"public int {Field(type, field)};\n"));
        string Type(int type) => $"public sealed class T{Number(type)} {{ {FieldsOf(type)} }}";
        string Declaration(int type) => $"Task<T{Number(type)}> M{Number(type)}Async(T{Number(type)} value)";
        string Method(int type) => $$"""
            public {{Declaration(type)}}
            {
                value.{{Field(type, 1)}} = value.{{Field(type, 0)}} + 1;
                return Task.FromResult(value);
            }
            """;
        string Call(int type) => $$"""
            T{{Number(type)}} t{{Number(type)}} = await many.M{{Number(type)}}Async(new() { {{Field(type, 0)}} = {{Number(type)}} });
            results.Add($"{t{{Number(type)}}.{{Field(type, 0)}}}{t{{Number(type)}}.{{Field(type, 1)}}}");
            """;
        return $$"""
            namespace Shop;
            public interface IMany { Task<string> PingAsync(); {{Each(type => Declaration(type) + ";")}} }
            {{Each(Type)}}
            public sealed class Many : IMany
            {
                public Task<string> PingAsync() => Task.FromResult("here");
                {{Each(Method)}}
            }
            public static class Program
            {
                public static Task<string> Ping(IMany many) => many.PingAsync();
                public static async Task<string> CallAll(IMany many)
                {
                    var results = new List<string>();
                    {{Each(Call)}}
                    return string.Join(' ', results);
                }
            }
            """;
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
