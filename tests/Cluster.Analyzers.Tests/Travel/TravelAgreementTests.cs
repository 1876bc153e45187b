using Cluster.Slim;

namespace Cluster.Analyzers.Tests.Travel;

/// <summary>For each type of a field, the analyzer reports it as part of a state's value exactly when Slim refuses a
/// value of it.</summary>
public sealed class TravelAgreementTests
{
    // Declared type, an object for it, and the declarations that both need.
    public static TheoryData<string, string, string> Shapes => new()
    {
        // Carried.
        { "int", "5", "" },
        { "string", "\"text\"", "" },
        { "decimal?", "5m", "" },
        { "List<int>", "[1]", "" },
        { "Dictionary<string, List<DateTimeOffset>>", "new() { [\"a\"] = [] }", "" },
        { "IReadOnlyList<Guid>", "[Guid.Empty]", "" },
        { "(int, string)", "(1, \"a\")", "" },
        { "Tuple<int>", "new(1)", "" },
        { "object", "5", "" },
        { "Type", "typeof(int)", "" },
        { "Exception", "new InvalidOperationException()", "" },
        { "System.Net.IPAddress", "System.Net.IPAddress.Loopback", "" },
        { "System.Text.Encoding", "System.Text.Encoding.UTF8", "" },
        { "StringComparer", "StringComparer.Ordinal", "" },
        { "IComparer<string>", "StringComparer.Ordinal", "" },
        { "HashSet<string>", "new(StringComparer.OrdinalIgnoreCase)", "" },
        { "DayOfWeek", "DayOfWeek.Friday", "" },
        { "Memory<byte>", "new byte[] { 1 }", "" },
        { "System.Collections.Immutable.ImmutableArray<int>", "[1]", "" },
        { "System.Collections.Frozen.FrozenSet<int>", "System.Collections.Frozen.FrozenSet.ToFrozenSet(new[] { 1 })", "" },
        { "System.Runtime.Intrinsics.Vector128<float>", "System.Runtime.Intrinsics.Vector128.Create(1f)", "" },
        { "Lazy<int>", "new(5)", "" },
        { "Part", "new()", "public sealed class Part { public Part? Next; private readonly int _number = 5; }" },
        { "Part", "new()", "public sealed class Part { [NonSerialized] public Stream? Source = new MemoryStream(); }" },
        { "Part", "new()", "public sealed class Part { [field: NonSerialized] public Action? Run { get; set; } = Console.WriteLine; }" },
        { "Part", "new()", "public sealed class Part { public static Stream? Shared = new MemoryStream(); public const int One = 1; }" },
        { "Part", "new()", "public sealed class Part { public Stream? Source => new MemoryStream(); }" },
        { "Part<Stream>", "new()", "public sealed class Part<T> { public int Number = 5; }" },
        { "Part", "new()", "public sealed class Part : List<int> { public string Name = \"a\"; }" },
        { "Part", "new()", "public sealed class Part : Exception { public string Name = \"a\"; }" },
        { "Part", "new(5)", "public readonly record struct Part(int Number);" },
        { "IPart", "new Part()", "public interface IPart; public sealed class Part : IPart { public int A = 1; }" },
        { "System.Numerics.BigInteger", "5", "" },
        { "System.Text.Json.Nodes.JsonNode", "System.Text.Json.Nodes.JsonNode.Parse(\"{}\")!", "" },
        { "Part", "new(new Old())", "public sealed class Old; public sealed class Part(Old old) { public Old Get() => old; }" },
        { "Part", "new()", "public sealed class Part : MarshalByRefObject { public int A = 1; }" },

        // Refused.
        { "Stream", "new MemoryStream()", "" },
        { "FileStream?", "(FileStream)Raw(typeof(FileStream))", "" },
        { "Part", "new()", "public sealed class Part : MemoryStream;" },
        { "Task", "Task.CompletedTask", "" },
        { "Task<int>", "Task.FromResult(1)", "" },
        { "ValueTask<int>", "new ValueTask<int>(5)", "" },
        { "CancellationTokenSource", "new()", "" },
        { "CancellationToken", "new CancellationToken(true)", "" },
        { "Thread", "Thread.CurrentThread", "" },
        { "Timer", "new Timer(_ => { })", "" },
        { "System.Threading.ManualResetEvent", "new(false)", "" },
        { "SemaphoreSlim", "new(1)", "" },
        { "Lock", "new()", "" },
        { "HttpClient", "new()", "" },
        { "Random", "new(5)", "" },
        { "TextReader", "new StringReader(\"a\")", "" },
        { "StringWriter", "new()", "" },
        { "System.Text.RegularExpressions.Regex", "new(\"a\")", "" },
        { "System.Reflection.Assembly", "typeof(int).Assembly", "" },
        { "WeakReference", "new(null)", "" },
        { "WeakReference<string>", "new(\"a\")", "" },
        { "nint", "5", "" },
        { "nuint", "5", "" },
        { "Action", "Console.WriteLine", "" },
        { "Func<int, int>", "x => x", "" },
        { "Delegate", "new Action(Console.WriteLine)", "" },
        { "IEnumerator<int>", "new List<int>().GetEnumerator()", "" },
        { "List<int>.Enumerator", "new List<int> { 1 }.GetEnumerator()", "" },
        { "System.Collections.Concurrent.BlockingCollection<int>", "new()", "" },
        { "List<Stream>", "[new MemoryStream()]", "" },
        { "Task[]", "[Task.CompletedTask]", "" },
        { "Dictionary<string, Action>", "new() { [\"a\"] = Console.WriteLine }", "" },
        { "IReadOnlyList<Thread>", "[Thread.CurrentThread]", "" },
        { "(int, Stream)", "(1, new MemoryStream())", "" },
        { "KeyValuePair<int, Task>", "new(1, Task.CompletedTask)", "" },
        { "nint?", "5", "" },
        { "Part", "new()", "public sealed class Part { public Stream? Source { get; set; } = new MemoryStream(); }" },
        { "Part", "new()", "public class Old { private Task? _task = Task.CompletedTask; } public sealed class Part : Old;" },
        { "Part", "new(Thread.CurrentThread)", "public sealed record Part(Thread Owner);" },
        { "Part<Stream>", "new() { Value = new MemoryStream() }", "public sealed class Part<T> { public T? Value; }" },
        { "Part", "new()", "public unsafe struct Part { public int* Address = (int*)8; public Part() { } }" },
        { "Part", "new()", "public sealed unsafe class Part { public int* Address; }" },
        { "Part", "new()", "public sealed class Part { [System.Runtime.Serialization.OnDeserialized] void End(System.Runtime.Serialization.StreamingContext c) { } public int A = 1; }" },
        { "System.Diagnostics.Process", "new()", "" },
        { "Part", "new(Task.CompletedTask)", "public sealed class Part(Task task) { public Task Get() => task; }" },
        { "FileInfo", "new(\"a\")", "" },
        { "System.Security.Claims.ClaimsPrincipal", "new()", "" },
        { "System.Data.DataTable", "new()", "" },
        { "System.Net.NetworkCredential", "new()", "" },
        { "Lazy<Stream>", "new(new MemoryStream())", "" },
    };

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Analyzer_OfEachType_SaysWhatSlimRefuses(string type, string value, string declarations)
    {
        var compilation = SourceCheck.Compile(
            $$"""
            {{declarations}}
            public sealed class Holder
            {
                public {{type}} Value = {{value}};
                public static object Raw(Type type) => System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(type);
                public static void Add(ClusterBuilder builder) => builder.AddState<string, Holder>("holders");
            }
            """);
        var reported = (await SourceCheck.AnalyzeAsync(compilation)).Select(one => one.Id);
        var holder = Activator.CreateInstance(SourceCheck.Load(compilation).GetType("Holder")!)!;
        var isRefused = Record.Exception(() => Serialize(holder)) is SlimTypeNotSupportedException;
        Assert.Equal(isRefused ? [ClusterDiagnosticIds.Travel] : [], reported);
    }

    private static void Serialize(object holder)
    {
        var write = typeof(SlimSerializer).GetMethods()
            .Single(m => m.Name == nameof(SlimSerializer.Serialize) && m.ReturnType == typeof(byte[])
                && m.GetParameters().Length == 1);
        try
        {
            write.MakeGenericMethod(holder.GetType()).Invoke(new SlimSerializer(), [holder]);
        }
        catch (TargetInvocationException failure)
        {
            throw failure.InnerException!;
        }

    }
}
