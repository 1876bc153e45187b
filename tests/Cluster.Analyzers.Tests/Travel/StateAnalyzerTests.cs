namespace Cluster.Analyzers.Tests.Travel;

/// <summary>What the registration of a state reports about its value and its key.</summary>
public sealed class StateAnalyzerTests
{
    private const string Types =
        """
        public sealed class Cart { public List<Line> Lines { get; } = []; }
        public sealed class Line { public Stream? Picture; }
        public sealed record Key(int Number);
        public sealed class Holder { public Action? Run; }

        """;

    [Theory]
    [InlineData("builder.AddState<string, {|CLU0002:Cart|}>(\"a\")")]
    [InlineData("builder.AddCache<string, {|CLU0002:Cart|}>(\"a\")")]
    [InlineData("builder.AddState<string, {|CLU0002:Stream|}>(\"a\")")]
    [InlineData("builder.AddState<string, {|CLU0002:Dictionary<int, Task>|}>(\"a\")")]
    [InlineData("builder.AddState<{|CLU0002:Key|}, int>(\"a\")")]
    [InlineData("builder.AddState<{|CLU0002:DayOfWeek|}, int>(\"a\")")]
    [InlineData("builder.AddState<{|CLU0002:nint|}, int>(\"a\", state => state.Backups = 0)")]
    [InlineData("builder.AddState<{|CLU0002:double|}, {|CLU0002:Holder|}>(\"a\")")]
    public async Task State_ThatCannotTravel_IsReported(string call) =>
        await SourceCheck.CheckAsync($"{Types}class C {{ void M(ClusterBuilder builder) => {call}; }}");

    [Theory]
    [InlineData("builder.AddState<string, int>(\"a\")")]
    [InlineData("builder.AddState<Guid, List<string>>(\"a\")")]
    [InlineData("builder.AddState<byte[], Key>(\"a\")")]
    [InlineData("builder.AddState<char, Key>(\"a\")")]
    [InlineData("builder.AddState<Int128, Key>(\"a\")")]
    [InlineData("builder.AddState<Key, int>(\"a\", state => state.KeyCodec = null)")]
    [InlineData("builder.AddState<Key, int>(\"a\", Configure)")]
    [InlineData("builder.AddState<Key, int>(\"a\", state => Configure(state))")]
    [InlineData("builder.AddState<string, Holder>(\"a\", state => state.ConfigureTypes(o => o.AllowMethodsOf(typeof(C))))")]
    [InlineData("builder.AddState<string, Cart>(\"a\", state => state.ConfigureTypes(o => o.AddCodec<Line>(null!)))")]
    public async Task State_ThatMayTravel_IsNotReported(string call) => await SourceCheck.CheckAsync(
        $"{Types}class C {{ void Configure(StateOptions<Key, int> state) {{ }} void M(ClusterBuilder builder) => {call}; }}");

    // The registration throws what the analyzer says of the key.
    [Theory]
    [InlineData("int", true)]
    [InlineData("ulong", true)]
    [InlineData("char", true)]
    [InlineData("string", true)]
    [InlineData("Guid", true)]
    [InlineData("byte[]", true)]
    [InlineData("UInt128", true)]
    [InlineData("bool", false)]
    [InlineData("double", false)]
    [InlineData("nuint", false)]
    [InlineData("DayOfWeek", false)]
    [InlineData("DateTime", false)]
    [InlineData("sbyte[]", false)]
    [InlineData("byte[,]", false)]
    [InlineData("(int, int)", false)]
    public async Task Key_OfEachType_IsReportedAsTheRegistrationRefusesIt(string key, bool isAccepted)
    {
        var compilation = SourceCheck.Compile(
            $"public static class C {{ public static void M() => Host.CreateApplicationBuilder()"
            + $".AddCluster(o => o.Name = \"a\").UseInMemoryStore().AddState<{key}, int>(\"a\"); }}");
        var reported = await SourceCheck.AnalyzeAsync(compilation);
        var run = SourceCheck.Load(compilation).GetType("C")!.GetMethod("M")!.CreateDelegate<Action>();
        Assert.Equal(isAccepted, Record.Exception(run) is null);
        Assert.Equal(isAccepted, reported.Count == 0);
    }
}
