namespace Cluster.Glue.Tests.Semantics.Headers;

public sealed class HeadersOverLinkTests() : HeaderSemanticTests(SemanticBinding.Link());

public sealed class HeadersOverUnaryTests() : HeaderSemanticTests(SemanticBinding.Unary());

public sealed class HeadersInProcessTests() : HeaderSemanticTests(SemanticBinding.InProcess());

public sealed class HeadersInProcessSerializedTests() : HeaderSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class HeadersOverUnixSocketTests() : HeaderSemanticTests(SemanticBinding.UnixSocket());

public sealed class HeadersOverMutualTlsTests() : HeaderSemanticTests(SemanticBinding.MutualTls());
