using System.Runtime.Loader;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Security;

/// <summary>Types of one name from two load contexts, in profiles that have no closed list.</summary>
[Trait("Case", "slim-I")]
[Trait("Case", "repair-C3")]
public sealed class SameNameTests
{
    private readonly object _first = New("first");
    private readonly object _second = New("second");

    [Theory]
    [InlineData(SlimSchema.Full)]
    [InlineData(SlimSchema.Known)]
    public void TwoTypesOfOneName_WithTrustedBytes_AreNeverMixed(SlimSchema schema)
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.Trusted, Schema = schema });
        var message = slim.Serialize<object>(_first);
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize<object>(_second));
        Assert.Contains("two types are called Twin", error.Message, StringComparison.Ordinal);
        Assert.Same(_first.GetType(), slim.Deserialize<object>(message).GetType());
        Assert.Same(_first.GetType(), slim.DeepClone<object>(_first).GetType());
    }

    [Fact]
    public void TwoTypesOfOneName_UnderRootsOfTheirOwn_ComeBackAsTheyAre()
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.Trusted });
        foreach (var twin in (object[])[_first, _second, _first])
        {
            ArrayBufferWriter<byte> message = new();
            slim.SerializeRoots(message, twin);
            var back = slim.DeserializeRoots(
                new ReadOnlySequence<byte>(message.WrittenMemory), [twin.GetType()])[0];
            Assert.Same(twin.GetType(), back!.GetType());
        }
    }

    [Fact]
    public void TwoTypesOfOneName_InProcess_AreNumbers()
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.InProcess });
        var back = slim.DeepClone(new[] { _first, _second });
        Assert.Same(_first.GetType(), back[0].GetType());
        Assert.Same(_second.GetType(), back[1].GetType());
    }

    private static object New(string context) => Activator.CreateInstance(new AssemblyLoadContext(context)
        .LoadFromStream(new MemoryStream(TypeVersion.Compile("Shop.Twins", "public class Twin { }")))
        .GetType("Twin")!)!;
}
