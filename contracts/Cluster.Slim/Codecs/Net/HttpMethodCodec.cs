using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads an HTTP method by its name. For a standard method the reader returns the framework's
/// object.</summary>
internal readonly struct HttpMethodCodec : ILeafCodec<HttpMethod>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, HttpMethod value) => writer.WriteString(value.Method);

    public static HttpMethod Read(SlimReader reader)
    {
        var name = reader.ReadString();
        try
        {
            var method = HttpMethod.Parse(name);

            // Parse ignores the case of the name, but the method must keep the name that was written.
            return method.Method == name ? method : new HttpMethod(name!);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            throw Throw.Failed("The name of a method of HTTP is not one.", e);
        }
    }
}
