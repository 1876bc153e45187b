namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>A message to mutate, and the way to read it.</summary>
internal sealed class FuzzCase(string name, byte[] message, Func<Action<byte[]>> newReader)
{
    private MessageMap? _map;

    /// <summary>What failures call it.</summary>
    internal string Name => name;

    /// <summary>A message that is read without an error, or a hostile one, which is refused.</summary>
    internal byte[] Message => message;

    /// <summary>Whether already the message itself is refused.</summary>
    internal bool IsHostile { get; init; }

    /// <summary>
    /// Whether every byte of the message is replaced once by each of a few values, in every run: rules that random
    /// mutations would break by luck only are then broken for certain.
    /// </summary>
    internal bool IsSwept { get; init; }

    /// <summary>Makes what reads mutated messages; each thread has its own and uses it again and again.</summary>
    internal Func<Action<byte[]>> NewReader => newReader;

    /// <summary>Where the message holds what; found out at first use. A race makes an equal one.</summary>
    internal MessageMap Map => _map ??= MessageMap.Of(Message, NewReader());
}
