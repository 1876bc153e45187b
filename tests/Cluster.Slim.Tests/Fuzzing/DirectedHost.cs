using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Cases for the rules about objects of the host.</summary>
internal static class DirectedHost
{
    private const int HeadDepthMax = 160;

    private static SlimOptions Options => new SlimOptions()
        .Allow<ImmutableList<object>>().Allow<ImmutableList<IFormattable>>()
        .UseExternalReferences(static type => type == typeof(IFormattable));

    public static IEnumerable<DirectedCase> All()
    {
        yield return DirectedCase.Read<object>(
            "HostReferenceSerializer.cs Create 1",
            "where none can be",
            new Forge().Bytes([0xB1, 0, 2, 57, 1, 0, 0, 0]),
            Options);
        yield return new DirectedCase(
            "HostReferenceSerializer.cs Write 1", "nested 160 levels deep", static () => Write<object>(Nested(), new Zero()));
        yield return new DirectedCase(
            "HostReferenceSerializer.cs Write 2", "nobody takes references", static () => Write<IFormattable>(1, null));
    }

    private static object Nested()
    {
        object inner = ImmutableList.Create<IFormattable>(1);
        for (var level = 1; level < HeadDepthMax; level++)
            inner = ImmutableList.Create(inner);
        return inner;
    }

    private static void Write<T>(T value, ISlimReferences? references)
    {
        var writer = new SlimMessageWriter(new SlimSerializer(Options));
        writer.Begin(new ArrayBufferWriter<byte>(), references);
        writer.Write(value);
    }

    /// <summary>Has one number for all.</summary>
    private sealed class Zero : ISlimReferences
    {
        public int Export(Type declared, object value) => 0;

        public object Import(Type declared, int number) => number;
    }
}
