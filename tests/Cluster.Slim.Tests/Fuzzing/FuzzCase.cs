namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>A message to mutate, and the way to read it.</summary>
internal sealed class FuzzCase(string name, byte[] message, Func<Action<byte[]>> newReader)
{
    private MessageMap? _map;

    /// <summary>What failures call it.</summary>
    public string Name => name;

    /// <summary>A message that is read without an error, or a hostile one, which is refused.</summary>
    public byte[] Message => message;

    /// <summary>Whether already the message itself is refused.</summary>
    public bool IsHostile { get; init; }

    /// <summary>Whether every byte of the message is replaced once by each of a few values, in every run: rules that
    /// random mutations would break by luck only are then broken for certain.</summary>
    public bool IsSwept { get; init; }

    /// <summary>Makes what reads mutated messages; each thread has its own and uses it again and again.</summary>
    public Func<Action<byte[]>> NewReader => newReader;

    /// <summary>Where the message holds what; found out at first use. A race makes an equal one.</summary>
    public MessageMap Map => _map ??= MessageMap.Of(Message, NewReader());
}
