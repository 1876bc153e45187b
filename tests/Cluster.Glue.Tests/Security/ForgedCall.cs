using Cluster.Glue.Signatures;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Wire;
using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Tests.Security;

/// <summary>One call of <see cref="IProbes"/> with arguments that no serializer of ours has written, and the server for
/// it. Stateless.</summary>
internal static class ForgedCall
{
    /// <summary>A server of <see cref="IProbes"/> whose closed list has one type more.</summary>
    public static Task<GlueHost> StartServerAsync<TListed>() => GlueHost.StartAsync(
        static options => options.ConfigureTypes = static types =>
        {
            GlueHost.AllowTypes(types);
            types.Allow<TListed>();
        },
        FuzzCorpus.AddServices);

    /// <summary>Calls a method by its hashes over a link of its own; gives what the fault says, or null.</summary>
    /// <param name="address">Of the server.</param>
    /// <param name="signature">The method, its parameters and its result.</param>
    /// <param name="layouts">The types whose layouts its caller and its server agree on.</param>
    /// <param name="body">The arguments.</param>
    public static Task<string?> SendAsync(string address, string signature, Type[] layouts, byte[] body) =>
        SendAsync<IProbes>(address, signature, layouts, body);

    /// <inheritdoc cref="SendAsync"/>
    /// <typeparam name="TContract">The contract of the method.</typeparam>
    public static async Task<string?> SendAsync<TContract>(
        string address, string signature, Type[] layouts, byte[] body)
    {
        var contract = typeof(TContract).FullName!;
        var slim = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known }.Allow<byte[]>());
        byte[] method =
        [
            .. BitConverter.GetBytes(SignatureHash.Of(contract)),
            .. BitConverter.GetBytes(SignatureHash.Of($"{contract}|{contract}|{signature}")),
            .. BitConverter.GetBytes(
                SignatureHash.Combine(layouts.Select(type => SlimLayouts.FingerprintOf(slim, type)))),
            .. Frames.Varint(60_000),
        ];
        using var raw = new RawLink(address);
        var answer = await raw.ExchangeAsync(
        [
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello())),
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Call, 1, body, method, GlueWire.FlagNamedMethod)),
        ]);
        var end = Frames.PayloadsIn(answer).SelectMany(Frames.EnvelopesIn)
            .Single(one => one.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault);
        return end.Kind == EnvelopeKind.Fault ? Encoding.UTF8.GetString(end.Body) : null;
    }

    /// <summary>A message whose one object says to be of a class of this name, without fields.</summary>
    public static byte[] ObjectNamed(string name)
    {
        const int HeadBytes = 3;
        var slim = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Full }.Allow<Empty>());
        var honest = slim.Serialize<object>(new Empty());
        // It has a body, no base class, no members: docs/formats/slim.md.
        byte[] layout = [.. Frames.Text(name), 4, 0, 0, 0, 1, 14];
        return
        [
            .. honest[..HeadBytes], 0, .. BitConverter.GetBytes(SignatureHash.Of(Encoding.ASCII.GetString(layout))),
            .. Frames.Varint((ulong)layout.Length), .. layout,
        ];
    }

    /// <summary>What a forged message may be: on the list of the server that is to read it.</summary>
    public sealed class Empty;
}
