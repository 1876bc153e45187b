using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Roots;

/// <summary>Shows that a reader of the same options can read a root, by reading it. Used only where neither the
/// declarations of its types nor the figures of <see cref="WriteDoubts"/> decide, because a user's hash function may
/// read any object.</summary>
internal static class KeyProof
{
    /// <summary>Throws the exception of a reader, with the path of the member that it could not read.</summary>
    /// <param name="original">The writer of the root. The proof carries the same data of exceptions: its own trial
    /// would ask for further proofs, and never end where data refers to its exception.</param>
    /// <param name="engine">The engine of the serializer.</param>
    /// <param name="root">The root.</param>
    /// <param name="value">Its value.</param>
    public static void Run(SlimWriter original, SlimEngine engine, Root root, object? value)
    {
        SlimWriter writer = new(new WriterTypes(isSession: false), isProof: true);
        ProofReferences? references = original.References is not null ? new() : null;
        RootWriter.Begin(writer, engine, null);
        writer.Callbacks.Trial = original.Callbacks.Trial;
        writer.References = references;
        RootWriter.WriteObject(writer, engine, root, value);
        if (Read(engine, root, writer.Written, references, null) is not { } failure)
            return;

        // The read is repeated to find the member.
        MemberTrace trace = new(root.Allowed.Root.Name);
        failure = Read(engine, root, writer.Written, references, trace) ?? failure;
        var path = failure.MemberPath ?? trace.ToString();
        if (failure is SlimMalformedException)
        {
            var cause = failure.InnerException is { } inner ? $" {inner.Message}" : "";
            failure = Throw.NotSupported(
                root.Allowed.Root, $"a reader cannot build it: {failure.Message}{cause}");
        }

        failure.MemberPath = path;
        throw failure;
    }

    private static unsafe SlimException? Read(
        SlimEngine engine, Root root, ReadOnlySpan<byte> message, ISlimReferences? references, MemberTrace? trace)
    {
        SlimReader reader = new(new ReaderTypes(isSession: false)) { Trace = trace };
        reader.Begin(engine);
        if (references is not null)
            reader.Imports = new HostImports(references);
        try
        {
            fixed (byte* start = message)
            {
                reader.Start(start, message.Length, 0);
                MessageHeader.Read(reader);
                // Only the list of the reader decides here, which may be that of another root.
                RootReader.ReadObject(
                    reader,
                    root is Root<object> ? root : engine.Roots.Of(FrameworkForms.CarriedTypeOf(root.Allowed.Root)));
            }

            return null;
        }
        catch (SlimException e)
        {
            return e;
        }
    }

    /// <summary>Keeps the host's objects out of a message that is never sent.</summary>
    private sealed class ProofReferences : ISlimReferences
    {
        private readonly List<object> _objects = [];

        public int Export(Type declared, object value)
        {
            _objects.Add(value);
            return _objects.Count - 1;
        }

        public object Import(Type declared, int number) => _objects[number];
    }
}
