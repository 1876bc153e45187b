using System.Reflection.Emit;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Tests.Fields;

/// <summary>The two ways to reach fields, emitted code and reflection, give the same bytes. The whole project runs a
/// second time without dynamic code, see <c>ReflectionBackEndTests</c> of the system tests, which asks for it by a
/// variable.</summary>
public sealed class BackEndTests
{
    internal const string Variable = "CLUSTER_SLIM_BACK_END";

    private readonly SlimSerializer _slim = new(new SlimOptions()
        .Allow<RandomGraph.Node>().Allow<RandomGraph.Derived>().Allow<RandomGraph.Pair>()
        .Allow<RandomGraph.Record>().Allow<HashSet<object>>().Allow<Tuple<object, object>>());

    // In the second run any emitted method fails its test, because the runtime refuses to make it.
    [Fact]
    public void BackEnd_IsTheOneThatTheRunAskedFor()
    {
        var isReflection = Environment.GetEnvironmentVariable(Variable) == "reflection";
        Assert.Equal(!isReflection, RuntimeFeature.IsDynamicCodeSupported);
        var refusal = Record.Exception(static () => new DynamicMethod("Probe", typeof(void), []));
        Assert.Equal(isReflection, refusal is PlatformNotSupportedException);
    }

    [Fact]
    public void RandomGraphs_OfEitherBackEnd_AreTheSameBytes()
    {
        for (var seed = 1; seed <= 200; seed++)
        {
            var graph = new RandomGraph(seed).Build();
            Assert.True(_slim.Serialize(graph).AsSpan().SequenceEqual(WriteReflected(graph)), $"seed {seed}");
        }
    }

    // A trace makes a writer use reflection.
    private byte[] WriteReflected(object graph)
    {
        SlimWriter writer = new() { Trace = new MemberTrace("root") };
        RootWriter.Begin(writer, _slim.Engine, null);
        RootWriter.Write(writer, _slim.Engine, _slim.Engine.Roots.Of<object>(), ref Unsafe.As<object, byte>(ref graph));
        writer.Finish();
        return writer.Written.ToArray();
    }
}
