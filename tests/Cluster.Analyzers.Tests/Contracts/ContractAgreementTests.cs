using System.Text.RegularExpressions;
using Cluster.Glue;

namespace Cluster.Analyzers.Tests.Contracts;

/// <summary>For each shape of a contract, the analyzer reports what Glue refuses when a proxy is made, with the same
/// reason, and nothing else.</summary>
public sealed partial class ContractAgreementTests
{
    // Each row is a whole contract or the members of one.
    public static TheoryData<string> Shapes =>
    [
        // Accepted.
        "void Plain(); int Value(string a, int b); Task RunAsync(); Task<int> CountAsync(CancellationToken cancellationToken);",
        "ValueTask RunAsync(); ValueTask<string> ReadAsync(CancellationToken cancellationToken = default);",
        "IAsyncEnumerable<int> Read(); Task SendAsync(IAsyncEnumerable<byte[]> parts);",
        "int Open { get; } string Name { get; set; } static int Shared => 1; static void Local() { }",
        "bool IsLarge(int order) => order > 100; private int Inner() => 1; sealed int Fixed() => 2;",
        "Task<T> FindAsync<T>(int id); int Sum(params int[] values); int Guess(int a = 5); T Echo<T>(T value) where T : Stream;",
        "[OneWay] void Tell(string what); [OneWay] Task TellAsync(string what); [OneWay] ValueTask TellMoreAsync();",
        "Task<Task<int>> NestedAsync(); int Of(Task<int> pending); Memory<int> Part(); List<Stream> Streams();",
        "internal int Hidden() => 1; protected static int Deep() => 1;",
        "public interface IContract : IDisposable, IAsyncDisposable { int One(); }",
        "public interface IBase { int One(); } public interface IContract : IBase { int IBase.One() => 1; int Two(); }",
        "public static class Outer { public interface IContract { int One(); } }",
        "public static class Outer { internal interface IContract { int One(); } }",

        // Refused members.
        "event EventHandler Changed;",
        "event Action<int> Changed { add { } remove { } }",
        "static event Action? Shared; int One();",
        "int this[int index] { get; }",
        "int this[string key] { get => 1; set { } }",
        "int Start { get; init; }",
        "void Take(ref int value);",
        "bool TryGet(int key, out string value);",
        "int Read(in DateTime value);",
        "int Peek(ref readonly int value);",
        "ref int Find(int key);",
        "ref readonly int Find(int key);",
        "unsafe void Fill(int* target);",
        "unsafe int* Address();",
        "unsafe void Call(delegate*<int, void> callback);",
        "void Take(Span<byte> bytes);",
        "ReadOnlySpan<char> Text();",
        "void Run(Action callback);",
        "Task<Func<int>> MakeAsync();",
        "void Run(Delegate callback); void Both(MulticastDelegate callback);",
        "Task<Stream> OpenAsync(string name);",
        "void Save(MemoryStream content);",
        "ValueTask<FileStream> OpenAsync(); Task SendAsync(Task<Stream> pending);",
        "Action Callback { get; }",
        "Stream Content { get; set; }",
        "Task RunAsync(CancellationToken first, CancellationToken second);",
        "[OneWay] int Count();",
        "[OneWay] Task<int> CountAsync();",
        "[OneWay] IAsyncEnumerable<int> Read();",
        "internal int Hidden();",
        "protected int Hidden { get; set; }",
        "int Half { get; internal set; }",
        "T Echo<T>(T value) where T : allows ref struct;",
        "void Wide<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q>();",
        "T Convert<T>(T value) where T : Delegate;",
        "event EventHandler Changed; int this[int index] { get; } void Take(ref int a, out int b); Task<Stream> OpenAsync();",
        "public interface IBase { void Take(ref int value); } public interface IContract : IBase { int One(); }",
        "public interface IBase<T> { T Take(); } public interface IContract : IBase<Stream> { }",
        "public class IContract { }",
        "public class Outer { private interface IContract { int One(); } public static Type Of => typeof(IContract); }",
        "public class Outer { protected interface IContract { int One(); } }",
        "public class Outer { protected internal interface IContract { int One(); } }",
        "public class Outer { private protected interface IContract { int One(); } }",
    ];

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Analyzer_OfEachShape_SaysWhatGlueRefuses(string shape)
    {
        var contract = shape.Contains("IContract", StringComparison.Ordinal) ? shape : $"public interface IContract {{ {shape} }}";
        var (open, close) = contract.StartsWith("public class Outer", StringComparison.Ordinal)
            ? (contract[..^1], "}") : (contract, "");
        var name = contract.Contains("static class Outer", StringComparison.Ordinal) ? "Outer.IContract" : "IContract";
        const string Use = "static object Make(GlueClient client) => client.CreateProxy<{0}>(\"http://127.0.0.1:1\");";
        var use = string.Format(CultureInfo.InvariantCulture, Use, name);
        var source = close.Length > 0 ? $"{open} {use} {close}" : $"{open} public static class Program {{ {use} }}";
        var compilation = SourceCheck.Compile(source);
        var reported = (await SourceCheck.AnalyzeAsync(compilation))
            .Where(one => one.Id == ClusterDiagnosticIds.ContractMember)
            .Select(one => ReasonOf(one.GetMessage(CultureInfo.InvariantCulture)));
        Assert.Equal(Refusals(SourceCheck.Load(compilation)), reported.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("PerCall", "int One();")]
    [InlineData("Singleton", "int One();")]
    [InlineData("Stateful", "[Constructor] Task<GlueInstance> OpenAsync(); [Destructor] Task CloseAsync();")]
    [InlineData("AutoConstructed", "int One(); [Destructor] void Close();")]
    [InlineData("Stateful", "int One();")]
    [InlineData("PerCall", "[Constructor] Task<GlueInstance> OpenAsync();")]
    [InlineData("AutoConstructed", "[Constructor] GlueInstance Open();")]
    [InlineData("Singleton", "int One(); [Destructor] void Close();")]
    [InlineData("Stateful", "[Constructor] Task OpenAsync();")]
    public async Task Analyzer_OfEachMode_SaysWhatGlueRefuses(string mode, string members)
    {
        var compilation = SourceCheck.Compile(
            $$"""
            public interface IContract { {{members}} }
            public static class Program
            {
                public static void Make<T>(IServiceCollection services) where T : class, IContract =>
                    services.AddGlueServer().AddService<IContract, T>(GlueInstanceMode.{{mode}});
                public static void Run() => Make<IContract>(new ServiceCollection());
            }
            """);
        var reported = (await SourceCheck.AnalyzeAsync(compilation))
            .Where(one => one.Id == ClusterDiagnosticIds.ContractMember)
            .Select(one => ReasonOf(one.GetMessage(CultureInfo.InvariantCulture)));
        var run = SourceCheck.Load(compilation).GetType("Program")!.GetMethod("Run")!;
        var refusal = Record.Exception(() => run.Invoke(null, null))?.InnerException;
        Assert.Equal(refusal is null ? [] : [ReasonOf(refusal.Message)], reported);
    }

    private static IEnumerable<string> Refusals(Assembly assembly)
    {
        var contract = assembly.GetTypes().Single(type => type.Name == "IContract");
        var create = typeof(GlueClient).GetMethods()
            .Single(m => m.Name == nameof(GlueClient.CreateProxy) && m.GetParameters()[0].ParameterType == typeof(string));
        var client = new GlueClient(new GlueClientOptions());
        var refusal = Record.Exception(
            (Action)(() => create.MakeGenericMethod(contract).Invoke(client, ["http://127.0.0.1:1", null])))?.InnerException;
        if (refusal is not null)
            Assert.IsType<NotSupportedException>(refusal);
        return refusal is null
            ? []
            : refusal.Message.Split(Environment.NewLine).Select(ReasonOf).Order(StringComparer.Ordinal);
    }

    // The names of types are written in the way of C# here, and in the way of the metadata there.
    private static string ReasonOf(string message) =>
        TypeName().Replace(message[(message.IndexOf(": it ", StringComparison.Ordinal) + 5)..].TrimEnd('.'), "of a type is ");

    [GeneratedRegex("of type .*? is ")]
    private static partial Regex TypeName();
}
